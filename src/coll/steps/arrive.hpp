// Arrive and release: everybody counts at member 0; whoever is last lets all go.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll/steps/epoch.hpp"

namespace atrium {

// Am I the last one? The count grows by the team's size with every sync.
inline bool arrive(Team& team) {
  return count_at(team, 0, team.block_of(0).arrivals.epoch) % static_cast<uint64_t>(team.size) == 0;
}

// Tells every other member in its own block, so that nobody waits on memory that is not its own.
inline void release_others(Team& team, uint64_t epoch) {
  for (int step = 1; step < team.size; ++step) {
    const int member = team.after(step);
    raise_flag(team, member, team.block_of(member).released.epoch, epoch);
  }
}

inline void await_release(Team& team, uint64_t epoch) {
  await_flag(team.my_block().released.epoch, epoch, WaitKind::barrier);
}

}  // namespace atrium
