// Bruck: a block from each node to each other one, passed on by the leaders of other nodes, in few rounds of few messages.
// SPDX-License-Identifier: BSD-3-Clause
//
// A block's *distance* is the number of nodes from its source to its target, around the team. Written in base k + 1, for k leaders of
// each node, it says in which rounds the block moves on: in round r, leader i sends all blocks that its node holds whose distance has
// i + 1 as its digit r, to the node (i + 1) (k + 1)^r on (spread_rounds.hpp). With one leader a block of distance 5 moves one node, and
// then four. A message carries about one of k + 1 blocks that there are.
//
//   area of a node, k = 1:  | came in round 0: distances 1, 3, 5, ... | in round 1: 2, 3, 6, 7, ... | ... | mine |
//
// Each message has a buffer of its own, so blocks for this node stay where they are; others are copied into the next message.
// No leader ends before all have begun, as their exchange requires: there is a block from each node.
// Every other exchange goes backwards around the team. Its messages answer those of the one before, which would otherwise be
// acknowledged by messages of their own (on 8 nodes 24 messages an exchange, 29 otherwise).
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "coll/steps/spread_rounds.hpp"
#include "copy/copy.hpp"

namespace atrium {

namespace detail {

// visit(distance, gone) for the blocks in a leader's message: `gone` is how far each has come before this round.
template <class Visit>
void for_each_distance(const TeamNodes& nodes, const SpreadRounds& round, int leader, int leaders,
                       Visit visit) {
  const int64_t first = round.distance(leader), next = round.distance(leaders);
  for (int64_t begin = first; begin < nodes.count(); begin += next)
    for (int64_t gone = 0; gone < round.reach() && begin + gone < nodes.count(); ++gone)
      visit(static_cast<int>(begin + gone), static_cast<int>(gone));
}

// How many these are.
inline size_t count_distances(const TeamNodes& nodes, const SpreadRounds& round, int leader, int leaders) {
  const auto reach = static_cast<size_t>(round.reach()), next = static_cast<size_t>(round.distance(leaders)),
             all = static_cast<size_t>(nodes.count() - round.distance(leader));
  return all / next * reach + std::min(all % next, reach);
}

// visit(round, leader) for each message that a node sends.
template <class Visit>
void for_each_message(const TeamNodes& nodes, int leaders, Visit visit) {
  for (SpreadRounds round(nodes, leaders, 0); !round.is_over(); round.next_round())
    for (int leader = 0; leader < leaders && round.sends(leader); ++leader) visit(round, leader);
}

}  // namespace detail

// Of what the messages that a node sends consist, and so those that come.
class BruckMessages {
 public:
  BruckMessages(const TeamNodes& nodes, int leaders) {
    detail::for_each_message(nodes, leaders, [&](const SpreadRounds& round, int leader) {
      const size_t distances = detail::count_distances(nodes, round, leader, leaders);
      before_.push_back(before_.back() + distances);
      most_distances_ = std::max(most_distances_, distances);
    });
  }
  // Of how many distances a message has blocks, and at most.
  size_t distances(size_t message) const { return before_[message + 1] - before_[message]; }
  size_t most_distances() const { return most_distances_; }
  // An area has room for so many bytes of each distance, in all messages that come and in one that is made; none: there are too many.
  size_t bytes_of_distance() const {
    const size_t gaps = before_.size() * alignment;
    return gaps < area_bytes ? (area_bytes - gaps) / (before_.back() + most_distances_) : 0;
  }
  size_t longest() const { return most_distances_ * bytes_of_distance(); }
  // Where in the area a message comes, and where one is made.
  size_t place(size_t message) const {
    return (before_[message] * bytes_of_distance() + message * alignment) / alignment * alignment;
  }
  size_t place_of_own() const { return place(before_.size() - 1); }

 private:
  static constexpr size_t alignment = 8;

  std::vector<size_t> before_ = {0};  // distances in the messages before each
  size_t most_distances_ = 0;
};

// BytesBetween: (from, to), what the block of one node for another takes, that of a node for itself too; the same on all members.
template <class BytesBetween>
class Bruck {
 public:
  // Requires: the same number of leaders on all nodes; each message fits in its place.
  Bruck(const TeamNodes& nodes, int leaders, BytesBetween bytes_between)
      : nodes_(nodes),
        leaders_(leaders),
        bytes_between_(bytes_between),
        messages_(nodes, leaders),
        places_(static_cast<size_t>(nodes.count())) {
    places_[0] = messages_.place_of_own();
  }

  // On each of the leaders, who meet after each round: sync.meet(). pack(to, place): lays out the block of my node for that one.
  template <class Sync, class Exchange, class Pack>
  void run(int leader, Sync& sync, Exchange& exchange, Pack pack) {
    // Where messages are made: the first leader has a place in the area, in which it leaves the block of the node for itself.
    std::unique_ptr<std::byte[]> own;
    if (leader > 0) own = std::make_unique_for_overwrite<std::byte[]>(messages_.longest());
    std::byte* const mine = leader > 0 ? own.get() : exchange.area() + messages_.place_of_own();
    pass_on(exchange.half(), [&](const SpreadRounds& round, size_t first) {
      if (round.sends(leader)) {
        const SpreadStep step = round.step(leader);
        const size_t bytes = lay_out(round, leader, exchange.area(), mine, pack);
        exchange.send(step.to, messages_.place(first + static_cast<size_t>(leader)), mine, bytes);
        exchange.await_from(step.from);
      }
      sync.meet();
    });
    if (leader == 0) pack(nodes_.me, mine);
  }
  // For the other members of a node, which only read: where the blocks lie.
  void follow(int half) {
    pass_on(half, [](const SpreadRounds&, size_t) {});
  }
  // Where the block of that distance lies in the area of my node, and which node it is from; 0: my own.
  size_t place_of(int distance) const { return places_[static_cast<size_t>(distance)]; }
  int source_of(int distance) const { return node_at(-distance); }

 private:
  // exchange(round, the number of its first message) in each round, behind which the blocks lie where it has put them.
  template <class ExchangeRound>
  void pass_on(int half, ExchangeRound exchange_round) {
    way_ = half == 0 ? 1 : -1;
    size_t first = 0;
    for (SpreadRounds round(nodes_, leaders_, static_cast<uint64_t>(half)); !round.is_over();
         round.next_round()) {
      exchange_round(round, first);
      for (int leader = 0; leader < leaders_ && round.sends(leader); ++leader)
        note_places(round, leader, first++);
    }
  }
  // The node so many on, seen from mine; negative: so many back.
  int node_at(int distance) const { return nodes_.after(nodes_.count() + way_ * distance); }
  // The bytes of the block that I hold when it has gone so far.
  size_t bytes_of(int distance, int gone) const {
    return bytes_between_(node_at(-gone), node_at(distance - gone));
  }

  template <class Pack>
  size_t lay_out(const SpreadRounds& round, int leader, const std::byte* area, std::byte* message,
                 Pack& pack) const {
    size_t bytes = 0;
    detail::for_each_distance(nodes_, round, leader, leaders_, [&](int distance, int gone) {
      const size_t block = bytes_of(distance, gone);
      if (gone == 0)
        pack(node_at(distance), message + bytes);
      else
        atrium::copy(message + bytes, area + place_of(distance), block);
      bytes += block;
    });
    return bytes;
  }
  void note_places(const SpreadRounds& round, int leader, size_t message) {
    size_t place = messages_.place(message);
    const auto comes = static_cast<int>(round.distance(leader));
    detail::for_each_distance(nodes_, round, leader, leaders_, [&](int distance, int gone) {
      places_[static_cast<size_t>(distance)] = place;
      place += bytes_of(distance, gone + comes);
    });
  }

  const TeamNodes& nodes_;
  int leaders_;
  BytesBetween bytes_between_;
  BruckMessages messages_;
  int way_ = 1;
  // Where the block for each distance lies; at 0 messages are made, and later lies what my node has for itself.
  std::vector<size_t> places_;
};

}  // namespace atrium
