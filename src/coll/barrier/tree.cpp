// The tree barrier: arrivals are gathered up a tree, the release goes down it.
// SPDX-License-Identifier: BSD-3-Clause
//
// 2 (P - 1) flags in all where dissemination raises P log2(P): less traffic for large teams.
#include "coll/steps/tree.hpp"

#include "coll/barrier/barrier.hpp"
#include "coll/steps/gather_up.hpp"

namespace atrium {

static void run(Team& team, uint64_t epoch) {
  const Tree tree(team);
  gather_up(team, tree, epoch);
  release_down(team, tree, epoch);
}

constinit const BarrierAlgorithm barrier_by::tree{"tree", run};

}  // namespace atrium
