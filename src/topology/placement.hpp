// Where the PEs of the job are: which node each belongs to, and which place it has there.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      A PE's *number* counts over the job: what programs, teams and the tables of deltas mean by a PE. Its
//             *place* counts over its node: what the lobby and the segment are divided by. On one node both are
//             the same.
// Invariants. Nodes are numbered 0, 1, ..., each has a PE. The places of a node are 0, 1, ... in the order of
//             the PEs' numbers. Nothing else is assumed: blocks, round robin, any list, nodes of unequal size.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace atrium {

class Placement {
 public:
  // A job of one PE.
  constexpr Placement() = default;
  // `nodes[pe]` is the node of each PE, of which this process is number `me`. Requires: is_valid().
  Placement(int me, std::vector<int> nodes);
  static Placement on_one_node(int me, int pes) {
    return Placement(me, std::vector<int>(static_cast<size_t>(pes), 0));
  }

  int me() const { return me_; }
  int pes() const { return pes_; }
  int node() const { return node_; }
  int nodes() const { return nodes_; }
  int place() const { return place_; }              // mine on my node
  int places() const { return places_; }            // PEs of my node
  int most_places() const { return most_places_; }  // PEs of the fullest node

  // Requires: 0 <= pe < pes().
  int node_of(int pe) const { return node_of_[static_cast<size_t>(pe)]; }
  int place_of(int pe) const { return place_of_[static_cast<size_t>(pe)]; }
  bool is_here(int pe) const { return node_of(pe) == node_; }
  // The PEs of a node, by place.
  std::span<const int> pes_of(int node) const;
  std::span<const int> pes_here() const { return pes_of(node_); }

  bool is_valid() const;

 private:
  int me_ = 0, pes_ = 1;
  int node_ = 0, nodes_ = 1;
  int place_ = 0, places_ = 1, most_places_ = 1;
  std::vector<int> node_of_, place_of_;  // by PE
  std::vector<int> by_node_;             // the PEs of node 0, of node 1, ...
  std::vector<size_t> first_;            // where each node's begin in by_node_, and where the last ends
};

// Of this job; one PE before it has been joined.
extern const Placement& placement;
void set_placement(Placement of_job);

}  // namespace atrium
