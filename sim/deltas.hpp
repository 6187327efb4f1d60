// The deltas of simulated PEs, in tables that PEs share whose neighbours lie alike.
// SPDX-License-Identifier: BSD-3-Clause
//
// A PE indexes its deltas with PE numbers, and they are AWAY for all but the PEs of its node. Where the numbers of a node's PEs follow each other
// at the same distances as on another node, the PEs of one place on both need the same deltas, as many entries behind that of the node's
// first PE. So they share a table, of which each sees another part. As blocks, or dealt in turns, all nodes are alike.
//
//   AWAY ... AWAY | of the node's first PE, of its second one, ... | AWAY ... AWAY
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "sim/world.hpp"

namespace atrium::sim {

// Lives as long as the process.
class DeltaTables {
 public:
  explicit DeltaTables(const World& world) : world_(world) {}
  // Indexed by the numbers of all PEs.
  const ptrdiff_t* of(const Pe& pe);

 private:
  using Alike = std::pair<int, std::vector<int>>;  // place, and how far the node's PEs are behind its first
  std::vector<ptrdiff_t> made_for(const Alike& alike) const;
  // Of the entry of a node's first PE.
  ptrdiff_t middle() const { return world_.shape().pes() - 1; }

  const World& world_;
  std::map<Alike, std::vector<ptrdiff_t>> tables_;
};

}  // namespace atrium::sim
