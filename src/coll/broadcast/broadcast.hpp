// Broadcasts: the root's source in everybody's dest.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll/select/family.hpp"
#include "team/team.hpp"

namespace atrium {

// Brings the root's `source` to every other member's `dest`; the root's own dest is not an algorithm's
// concern.
using BroadcastRun = void(Team& team, void* dest, const void* source, size_t bytes, int root);
using BroadcastAlgorithm = Algorithm<BroadcastRun>;

namespace broadcast_by {
extern const BroadcastAlgorithm letter, tree, put, pull, two_level;
}

extern Family<BroadcastRun> broadcasts;

}  // namespace atrium
