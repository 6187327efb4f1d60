// Barriers: arrival of all, and visibility of what they stored before. Every other family synchronises through here.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll/select/family.hpp"
#include "team/team.hpp"

namespace atrium {

// Requires of an algorithm: returns only after every member has entered with this epoch; a member waits on
// its own block only; whatever is sent to a member in this epoch has come when that member returns (blocks
// are freed after a sync).
using BarrierRun = void(Team& team, uint64_t epoch);
using BarrierAlgorithm = Algorithm<BarrierRun>;

namespace barrier_by {
extern const BarrierAlgorithm dissemination, central, tree, two_level, leaders;
}

extern Family<CollectiveFamily::barrier, BarrierRun> barriers;

// Returns when every member has come, and sees everything that each wrote before it came.
void synchronise(Team& team);

}  // namespace atrium
