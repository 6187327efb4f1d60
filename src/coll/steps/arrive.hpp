// Arrive and release: every member counts at member 0, and the last one releases all.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "team/flags.hpp"

namespace atrium {

// Am I the last one? The count grows by the team's size with every sync.
inline bool arrive(Team& team) {
  return count_at(team, 0, &TeamBlock::arrivals) % static_cast<uint64_t>(team.size) == 0;
}

// Releases every other member by a flag in that member's own block, so that each waits on its own memory only.
inline void release_others(Team& team, uint64_t epoch) {
  for (int step = 1; step < team.size; ++step) {
    const int member = team.after(step);
    raise(team, member, &TeamBlock::released, epoch);
  }
}

inline void await_release(Team& team, uint64_t epoch) {
  await(team, &TeamBlock::released, epoch, WaitKind::barrier);
}

}  // namespace atrium
