// Gather up and release down: arrivals are signalled up to the root of a tree, and the release down again.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "team/flags.hpp"

namespace atrium {

// Returns when all members below me have arrived, and signals my parent. AnyTree: Tree or LeaderTree.
template <class AnyTree>
void gather_up(Team& team, const AnyTree& tree, uint64_t epoch) {
  for (int branch = 0; branch < tree.children(); ++branch) {
    await(team, &TeamBlock::subtrees, branch, epoch, WaitKind::barrier);
  }
  if (!tree.is_root()) {
    raise(team, tree.parent(), &TeamBlock::subtrees, tree.branch(), epoch);
  }
}

// Returns when my parent has released me, and releases my children.
template <class AnyTree>
void release_down(Team& team, const AnyTree& tree, uint64_t epoch) {
  if (!tree.is_root()) await(team, &TeamBlock::released, epoch, WaitKind::barrier);
  for (int branch = 0; branch < tree.children(); ++branch) {
    const int child = tree.child(branch);
    raise(team, child, &TeamBlock::released, epoch);
  }
}

}  // namespace atrium
