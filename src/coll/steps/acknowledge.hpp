// Acknowledge: readers tell the owner of a source that they need it no more.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll/steps/epoch.hpp"

namespace atrium {

inline void acknowledge(Team& team, int owner) {
  count_at(team, owner, team.block_of(owner).acknowledgements.epoch);
}

// On the owner: waits until so many more have acknowledged.
inline void await_acknowledgements(Team& team, int readers) {
  team.progress.acknowledgements_expected += static_cast<uint64_t>(readers);
  await_flag(team.my_block().acknowledgements.epoch, team.progress.acknowledgements_expected);
}

}  // namespace atrium
