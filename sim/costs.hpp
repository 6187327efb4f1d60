// What things cost on a machine: the LogGP model with one network card per node.
// SPDX-License-Identifier: BSD-3-Clause
//
//   sender's CPU        o
//   sender's card             g + G * bytes
//   wire                                      L
//   receiver's card                           g + G * bytes, from when the head arrives
//   receiver's CPU                                            o
//
// A card sends one thing after the other, and receives one thing after the other; both at the same time.
//
// In a *tree* each so many nodes have a switch. What the nodes of two switches send each other goes through the links of both, which
// carry one thing after the other in each direction, too; a switch's links together are as fast as its cards together, or narrower.
#pragma once

#include <compare>
#include <string>

#include "core/result.hpp"
#include "sim/clock.hpp"

namespace atrium::sim {

struct Costs {
  double o = 400, L = 1200, g = 50;  // ns: of a CPU per message, of the wire, of a card per message
  double G = 0.1;                    // ns: of a card per byte
  double wake = 150;                 // ns: from a store to the neighbour who waits for it
  double block = 5;                  // ns: of a core per block that it copies, however small
  double copy = 0.1;                 // ns: of a core per byte that it copies
  double combine = 0.2;              // ns: of a core per byte of an operand
  double tcp = 0;           // 1: the network is TCP, for which rules differ (EngineTraits::costly_messages)
  int nodes_of_switch = 0;  // 0: there is no tree
  double narrower = 1;      // so many times, a switch's links than its cards

  auto operator<=>(const Costs&) const = default;

  Time overhead() const { return time(o); }
  Time wire() const { return time(L); }
  Time card(size_t bytes) const { return time(g + G * static_cast<double>(bytes)); }
  Time links(size_t bytes) const { return time(G * narrower / nodes_of_switch * static_cast<double>(bytes)); }
  bool same_switch(int a, int b) const {
    return nodes_of_switch == 0 || a / nodes_of_switch == b / nodes_of_switch;
  }
  Time store() const { return time(wake); }
  Time copying(size_t bytes) const { return time(block + copy * static_cast<double>(bytes)); }
  Time combining(size_t bytes) const { return time(combine * static_cast<double>(bytes)); }

 private:
  static Time time(double ns) { return static_cast<Time>(ns * static_cast<double>(nanosecond)); }
};

// From a file of lines "name = number" and "# remark". An Error for a name that is unknown, and for one that is missing.
Result<Costs> read_costs(const std::string& path);

}  // namespace atrium::sim
