// Bruck: a block from each node to each other one, in as many messages of a leader as the number of nodes has bits.
// SPDX-License-Identifier: BSD-3-Clause
//
// A block's *distance* is the number of nodes from its source to its target, around the team. In round k each leader sends all
// blocks that it holds whose distance has bit k to the leader 2^k nodes on: a block of distance 5 moves one node, and then four. So
// a message carries up to half as many blocks as there are nodes.
//
//   area of a leader:  | came in round 0: distances 1, 3, 5, ... | in round 1: 2, 3, 6, 7, ... | ... | mine |
//
// Each message has a buffer of its own, so blocks for this node stay where they are; others are copied into the next message.
// No leader ends before all have begun, as LeaderExchange requires: there is a block from each of them.
// Every other exchange goes backwards around the team. Its messages answer those of the one before, which would otherwise be
// acknowledged by messages of their own (on 8 nodes 24 messages an exchange, 29 otherwise).
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "coll/steps/leaders.hpp"
#include "copy/copy.hpp"

namespace atrium {

// BytesBetween: (from, to), what the block of one node for another takes, that of a node for itself too; the same on all members.
template <class BytesBetween>
class Bruck {
 public:
  // For each message. Requires: each fits.
  static size_t buffer_bytes(const TeamNodes& nodes) {
    return area_bytes / static_cast<size_t>(rounds(nodes) + 1) / 16 * 16;
  }

  Bruck(const TeamNodes& nodes, BytesBetween bytes_between)
      : nodes_(nodes), bytes_between_(bytes_between), places_(static_cast<size_t>(nodes.count())) {
    places_[0] = place_of_buffer(rounds(nodes_));
  }

  // On the leader. pack(to, place): lays out the block of my node for that one.
  template <class Pack>
  void run(LeaderExchange& exchange, Pack pack) {
    turn(exchange.half());
    std::byte* const mine = exchange.area() + places_[0];
    for (int round = 0; round < rounds(nodes_); ++round) {
      const size_t bytes = lay_out(round, exchange.area(), mine, pack);
      exchange.send(node_at(1 << round), place_of_buffer(round), mine, bytes);
      exchange.await_from(node_at(-(1 << round)));
      note_places(round);
    }
    pack(nodes_.me, mine);
  }
  // For the other members of a node, which only read: where the blocks lie.
  void follow(int half) {
    turn(half);
    for (int round = 0; round < rounds(nodes_); ++round) note_places(round);
  }
  // Where the block of that distance lies in my leader's area, and which node it is from; 0: my own.
  size_t place_of(int distance) const { return places_[static_cast<size_t>(distance)]; }
  int source_of(int distance) const { return node_at(-distance); }

 private:
  static int rounds(const TeamNodes& nodes) {
    return std::bit_width(static_cast<unsigned>(nodes.count()) - 1);
  }
  void turn(int half) { way_ = half == 0 ? 1 : -1; }
  // The node so many on, seen from mine; negative: so many back.
  int node_at(int distance) const { return nodes_.after(nodes_.count() + way_ * distance); }
  size_t place_of_buffer(int round) const { return static_cast<size_t>(round) * buffer_bytes(nodes_); }

  // visit(distance, gone): `gone` is how far a block has come before this round.
  template <class Visit>
  void for_each_distance(int round, Visit visit) const {
    const int step = 1 << round;
    for (int distance = step; distance < nodes_.count(); ++distance)
      if (distance & step) visit(distance, distance & (step - 1));
  }
  // The bytes of the block that I hold when it has gone so far.
  size_t bytes_of(int distance, int gone) const {
    return bytes_between_(node_at(-gone), node_at(distance - gone));
  }

  template <class Pack>
  size_t lay_out(int round, const std::byte* area, std::byte* message, Pack& pack) const {
    size_t bytes = 0;
    for_each_distance(round, [&](int distance, int gone) {
      const size_t block = bytes_of(distance, gone);
      if (gone == 0)
        pack(node_at(distance), message + bytes);
      else
        atrium::copy(message + bytes, area + place_of(distance), block);
      bytes += block;
    });
    return bytes;
  }
  void note_places(int round) {
    size_t place = place_of_buffer(round);
    for_each_distance(round, [&](int distance, int gone) {
      places_[static_cast<size_t>(distance)] = place;
      place += bytes_of(distance, gone + (1 << round));
    });
  }

  const TeamNodes& nodes_;
  BytesBetween bytes_between_;
  int way_ = 1;
  // Where the block for each distance lies; at 0 messages are made, and later lies what my node has for itself.
  std::vector<size_t> places_;
};

}  // namespace atrium
