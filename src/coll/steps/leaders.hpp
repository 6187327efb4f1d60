// Leaders: the members of a node synchronise with their leader, and leaders exchange small data between nodes.
// SPDX-License-Identifier: BSD-3-Clause
//
//   NodeSync sync(nodes);                all members of my node
//   if (!sync.leads()) {
//     sync.arrive_and_wait();            its data may be read until it is released
//   } else {
//     sync.await_all();
//     LeaderExchange exchange(nodes); ...   with the leaders of the other nodes
//     sync.release();
//   }
//
// Two halves of the area suffice, if no leader ends an exchange before all leaders have begun it. A leader in exchange e + 2 has
// ended e + 1, so every leader had begun e + 1; and before it began, all members of its node had arrived, which were done with e.
// Members read their leader's area before they arrive at the next sync.
#pragma once

#include <optional>
#include <utility>

#include "coll/barrier/barrier.hpp"
#include "coll/select/family.hpp"
#include "coll/steps/arrive.hpp"
#include "coll/steps/domain_sync.hpp"
#include "coll/steps/transfer.hpp"
#include "team/flags.hpp"
#include "team/nodes.hpp"

namespace atrium {

// A sync of the node team in two halves, with its leader alone between them. A large node meets by its domains.
class NodeSync {
 public:
  // Members; more of them meet by domains, as rules have it for barriers.
  static constexpr int most_at_once = 16;

  explicit NodeSync(TeamNodes& nodes) : node_(nodes.node), epoch_(++node_.progress.syncs) {
    node_.progress.broadcasts_at_sync = node_.progress.broadcasts;
    if (node_.size > most_at_once && !is_oversubscribed() && spans_domains(node_))
      by_domains_.emplace(node_, epoch_);
  }
  bool leads() const { return node_.me == 0; }
  // Which sync of the node it is.
  uint64_t epoch() const { return epoch_; }
  // Not the leader: says that I have come.
  void arrive() {
    if (by_domains_) return by_domains_->arrive();
    add_at(node_, 0, &TeamBlock::neighbours);
  }
  // After it: returns when I may go.
  void wait() { by_domains_ ? by_domains_->wait() : await_release(node_, epoch_); }
  void arrive_and_wait() {
    arrive();
    wait();
  }
  // The leader.
  void await_all() {
    if (by_domains_) return by_domains_->await_all();
    node_.progress.neighbours_expected += static_cast<uint64_t>(node_.size) - 1;
    await(node_, &TeamBlock::neighbours, node_.progress.neighbours_expected, WaitKind::collective);
  }
  void release() { by_domains_ ? by_domains_->release() : release_others(node_, epoch_); }

 private:
  Team& node_;
  uint64_t epoch_;
  std::optional<DomainSync> by_domains_;
};

class LeaderExchange {
 public:
  // Every leader sends to some of the others, once to each, and awaits all that is sent to it.
  explicit LeaderExchange(TeamNodes& nodes)
      : nodes_(nodes), epoch_(++nodes.leaders.progress.exchanges), half_(half_of(epoch_)) {}
  // For the others of a node, which only read: counts alike.
  static int next_half(TeamNodes& nodes) { return half_of(++nodes.leaders.progress.exchanges); }

  // Sends into the area of node `to`, at `place`. The data may be changed again at return. Requires: place + bytes <= area_bytes.
  void send(int to, size_t place, const void* data, size_t bytes) {
    put(to, in_area(to, place), data, bytes);
  }
  // The same for the first part of the data, which the rest follows at once, in the same message if it is small: its flag is not the
  // one that ends the wait.
  void send_part(int to, size_t place, const void* data, size_t bytes) {
    put_part(to, in_area(to, place), data, bytes);
  }
  // Into symmetric memory of the leader of node `to`, of which `place` is my address, instead of its area.
  void put(int to, void* place, const void* data, size_t bytes) {
    raise(to, epoch_, place, data, bytes, Next::unknown);
  }
  void put_part(int to, void* place, const void* data, size_t bytes) {
    raise(to, epoch_ - 1, place, data, bytes, Next::same_node);
  }
  void await_from(int node) {
    await_flag(nodes_.leaders, nodes_.flag(nodes_.me, node, TeamNodes::Flag::exchange), epoch_);
  }
  std::byte* area() { return nodes_.area(nodes_.me, half_); }
  int half() const { return half_; }

 private:
  static int half_of(uint64_t epoch) { return static_cast<int>(epoch % 2); }
  std::byte* in_area(int to, size_t place) { return nodes_.area(to, half_) + place; }
  void raise(int to, uint64_t epoch, void* place, const void* data, size_t bytes, Next next) {
    detail::raise_away(nodes_.leaders, to, nodes_.flag(to, nodes_.me, TeamNodes::Flag::exchange), epoch,
                       place, data, bytes, next);
  }

  TeamNodes& nodes_;
  uint64_t epoch_;
  int half_;
};

// Returns when all leaders with my number on their nodes have come, and what each has moved has arrived.
inline void synchronise_leaders(Team& leaders) {
  settle();
  barrier_by::dissemination.run(leaders, ++leaders.progress.syncs);
}

}  // namespace atrium
