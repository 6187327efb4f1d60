// Dissemination: how the members of a team meet without a word that all of them write.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "team/flags.hpp"

namespace atrium {

// In round r I tell the member 2^r after me and hear from the one 2^r before me; after the last round I have
// heard, directly or not, from all. `tell(next, round)` raises that member's flag of the round, behind whatever it says.
template <class Field, class Tell>
void disseminate(Team& team, Field field, uint64_t epoch, Tell tell) {
  for (int round = 0; round < rounds_of(team.size); ++round) {
    tell(team.after(1 << round), round);
    await(team, field, round, epoch, WaitKind::barrier);
  }
}

}  // namespace atrium
