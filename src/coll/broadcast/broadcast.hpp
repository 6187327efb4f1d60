// Broadcasts: the root's source in every member's dest.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll/families.hpp"
#include "coll/select/family.hpp"
#include "copy/copy.hpp"
#include "team/team.hpp"

namespace atrium {

struct Broadcast {
  void* dest;
  const void* source;
  size_t bytes;
  int root;
  RootCopy root_copy;

  // Whether dest may be written before its owner has come, by a root that is up to eight calls ahead. Callers of the
  // active-set forms alternate two destinations as they alternate two pSyncs, and count on one call at most.
  bool may_write_ahead() const { return root_copy == RootCopy::yes; }

  // The root's own dest, if it is to be written. An algorithm lets the root do so while the others are busy.
  void copy_at_root() const {
    if (root_copy == RootCopy::yes && dest != source) copy(dest, source, bytes);
  }
};

// Brings the root's source to every member's dest.
using BroadcastRun = void(Team& team, const Broadcast& task);
using BroadcastAlgorithm = Algorithm<BroadcastRun>;

namespace broadcast_by {
extern const BroadcastAlgorithm eager, tree, put, pull, two_level, leaders, leaders_spread;
}

extern Family<CollectiveFamily::broadcast, BroadcastRun> broadcasts;

}  // namespace atrium
