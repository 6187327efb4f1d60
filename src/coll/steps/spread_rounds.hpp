// The rounds in which several leaders of each node reach all others: who sends to whom.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each of the k leaders that take part sends a message in a round: with a *reach* of so many nodes, leader i sends to the node (i + 1) reach
// away, and reach grows by a factor of k + 1 in a round.
//
//   12 nodes, k = 2, seen from node 8:   round 0, reach 1: -> 9, 10;   round 1, reach 3: -> 11, 2;   round 2, reach 9: -> 5
//
// Every other exchange goes backwards around the team: its messages acknowledge those of the one before.
#pragma once

#include <algorithm>
#include <cstdint>

#include "team/nodes.hpp"

namespace atrium {

// The nodes of which a leader passes something on: `count` of them from `first` on, around the team.
struct NodeRange {
  int first, count;
};

// What a leader sends and receives in a round.
struct SpreadStep {
  int to, from;    // nodes
  NodeRange sent;  // what the first needs of what mine has
};

class SpreadRounds {
 public:
  // In how many rounds so many leaders get every node to know of all.
  static int rounds(const TeamNodes& nodes, int leaders) {
    int rounds = 0;
    for (int64_t reach = 1; reach < nodes.count(); reach *= leaders + 1) ++rounds;
    return rounds;
  }
  // `number`: of the exchange.
  SpreadRounds(const TeamNodes& nodes, int leaders, uint64_t number)
      : nodes_(nodes), growth_(leaders + 1), is_backwards_(number % 2 != 0) {}

  bool is_over() const { return reach_ >= nodes_.count(); }
  // How many nodes' data mine knows, in a spread.
  int64_t reach() const { return reach_; }
  void next_round() { reach_ *= growth_; }
  // How far a leader's message goes. It sends one if there is a node so far away.
  int64_t distance(int leader) const { return (leader + 1) * reach_; }
  bool sends(int leader) const { return distance(leader) < nodes_.count(); }
  // Requires: sends(leader).
  SpreadStep step(int leader) const {
    const auto there = static_cast<int>(distance(leader)),
               known = static_cast<int>(std::min<int64_t>(reach_, nodes_.count() - there));
    const int before = nodes_.after(nodes_.count() - there), behind = nodes_.after(there);
    if (is_backwards_) return {before, behind, {nodes_.me, known}};
    return {behind, before, {nodes_.after(nodes_.count() + 1 - known), known}};
  }

 private:
  const TeamNodes& nodes_;
  int64_t growth_, reach_ = 1;
  bool is_backwards_;
};

}  // namespace atrium
