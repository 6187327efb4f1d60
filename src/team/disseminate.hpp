// Dissemination: the members of a team synchronise without a word that all of them write.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "team/flags.hpp"

namespace atrium {

// In round r I signal the member 2^r after me and wait for the one 2^r before me; after the last round all have signalled
// me, directly or through others. `raise(next, round)` raises that member's flag of the round, after what it publishes.
template <class Field, class Raise>
void disseminate(Team& team, Field field, uint64_t epoch, Raise raise) {
  for (int round = 0; round < rounds_of(team.size); ++round) {
    raise(team.after(1 << round), round);
    await(team, field, round, epoch, WaitKind::barrier);
  }
}

}  // namespace atrium
