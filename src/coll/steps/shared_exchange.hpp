// An exchange between nodes that is shared by all leaders of a node: each sends some of the messages, and receives some.
// SPDX-License-Identifier: BSD-3-Clause
//
//   SharedExchange exchange(team, slices, rounds);   every member
//   exchange.begin()                                 every member; returns when all members of my node have come
//   exchange.for_each_target(...)                    leaders: send(), or put(), to each of these nodes
//   exchange.for_each_source(...)                    leaders: await_from() each of these nodes
//   exchange.next_round(); ...                       leaders: the same again
//   exchange.end()                                   every member; returns when all that was sent to my node is there
//
// Where the members of a node sync otherwise, as by a SharedSync, begin() and end() are left out.
//
// A message costs a CPU of each side more than all that it carries, and one leader would send and receive all of them while its
// neighbours wait. What a node has for another one goes in so many *slices*, a message each. Leader `slice` + i * slices sends
// that slice to every n-th other node, where n is the number of leaders with that slice; it raises the flag of the leader with its
// number there, and writes into the area of that node's first leader.
//
// What is more than a message goes in several *rounds*, a message of each slice in each. Every other round goes backwards around the
// nodes, so that its messages acknowledge those of the one before. Between two nodes there may be fewer messages than rounds, but one at
// least, and as many one way as the other.
//
// Two halves of the area suffice for exchanges of one round, as for LeaderExchange (coll/steps/leaders.hpp), with which all may take
// turns: who sends has seen all members of its node come, and no member leaves before all messages for its node have come, of which
// there is one from each other node. Those of several rounds put into dests alone.
#pragma once

#include <algorithm>

#include "coll/barrier/barrier.hpp"
#include "coll/steps/transfer.hpp"
#include "team/flags.hpp"
#include "team/nodes.hpp"

namespace atrium {

// Some of what lies in a row.
struct Portion {
  size_t first, count;

  // Of messages of `most` each, of which the last one may have fewer, the one with that number; none behind the last one.
  Portion message(size_t number, size_t most) const {
    const size_t before = std::min(count, number * most);
    return {first + before, std::min(most, count - before)};
  }
};

class SharedExchange {
 public:
  // Requires: 1 <= slices <= leaders of a node; the same, and as many rounds, on all members of the team.
  SharedExchange(Team& team, size_t slices, size_t rounds = 1)
      : team_(team),
        nodes_(*team.nodes),
        epoch_(nodes_.leaders.progress.exchanges + 1),
        slices_(static_cast<int>(slices)),
        with_my_slice_(1 + (nodes_.leader_count() - 1 - nodes_.node.me % slices_) / slices_) {
    nodes_.leaders.progress.exchanges += rounds;
  }
  void begin() { synchronise(nodes_.node); }
  void next_round() { ++epoch_; }
  void end() { synchronise(nodes_.node); }

  bool leads() const { return nodes_.leads(); }
  // My slice of so many things that my node has for another one.
  Portion slice_of(size_t all) const {
    const auto slice = static_cast<size_t>(nodes_.node.me % slices_), slices = static_cast<size_t>(slices_);
    const size_t first = all * slice / slices;
    return {first, all * (slice + 1) / slices - first};
  }

  // visit(node) for those to which I send in this round, and for those from which something comes to me, in the order in which it does.
  template <class Visit>
  void for_each_target(Visit visit) const {
    for_each_step([&](int step) { visit(node_at(step)); });
  }
  template <class Visit>
  void for_each_source(Visit visit) const {
    for_each_step([&](int step) { visit(node_at(-step)); });
  }

  // Into the area of node `to`, at `place`. The data may be changed again at return. `is_last`: as below.
  void send(int to, size_t place, const void* data, size_t bytes, bool is_last = true) {
    raise(to, nodes_.members.pes_of(to)[0], nodes_.area_of_first(team_, to, half()) + place, data, bytes,
          is_last);
  }
  // Into symmetric memory of a member on node `to`, of which `place` is my address. The last one for that node raises the flag; those
  // before it go in the same message, as far as they fit.
  void put(int to, int member, void* place, const void* data, size_t bytes, bool is_last) {
    raise(to, member, place, data, bytes, is_last);
  }
  void await_from(int node) {
    await_flag(nodes_.leaders, nodes_.flag(nodes_.me, node, TeamNodes::Flag::exchange), epoch_);
  }

  int half() const { return static_cast<int>(epoch_ % 2); }
  // My node's.
  std::byte* area() const { return nodes_.area_of_node(half()); }

 private:
  template <class Visit>
  void for_each_step(Visit visit) const {
    for (int step = 1 + nodes_.node.me / slices_; step < nodes_.count(); step += with_my_slice_) visit(step);
  }
  // The node so many on, or back.
  int node_at(int step) const { return nodes_.after(nodes_.count() + (half() == 0 ? step : -step)); }
  void raise(int to, int member, void* place, const void* data, size_t bytes, bool is_last) {
    const Epoch& flag = nodes_.flag(to, nodes_.me, TeamNodes::Flag::exchange);
    put_with_flag_beside(team_, member, place, data, bytes,
                         {nodes_.leaders, to, flag, is_last ? epoch_ : epoch_ - 1},
                         is_last ? Next::unknown : Next::same_node);
  }

  Team& team_;
  TeamNodes& nodes_;
  uint64_t epoch_;
  int slices_, with_my_slice_;
};

}  // namespace atrium
