// Pairs: how the leaders of any number of nodes pair up for exchanges in rounds, each with one other at a time.
// SPDX-License-Identifier: BSD-3-Clause
//
// Rounds need a power of two. Where the nodes are none, the first ones pair up before, and one of each pair waits for the
// result. Those that are left have *numbers*.
#pragma once

#include <bit>

#include "coll/select/family.hpp"

namespace atrium {

struct Pairs {
  explicit Pairs(int nodes)
      : even(static_cast<int>(std::bit_floor(static_cast<unsigned>(nodes)))), rest(nodes - even) {}
  int rounds() const { return std::bit_width(static_cast<unsigned>(even)) - 1; }
  bool pairs_up(int node) const { return node < 2 * rest; }
  bool waits(int node) const { return pairs_up(node) && node % 2 == 1; }  // the one before it works for both
  int number_of(int node) const { return pairs_up(node) ? node / 2 : node - rest; }
  int node_of(int number) const { return number < rest ? 2 * number : number + rest; }

  int even;  // leaders that take part in the rounds
  int rest;  // pairs
};

// Instead, each sends to all others at once: a round takes as long as two to four further messages (docs/measurements/collectives.md, Sums
// on a few nodes), and as fewer where each costs a CPU more.
inline bool goes_at_once(const Pairs& pairs) {
  const int most_nodes = job_is(costly_messages) ? 5 : 7;
  return pairs.rest > 0 && pairs.even + pairs.rest <= most_nodes;
}

}  // namespace atrium
