// Thank: readers tell the owner of a source that they need it no more.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll/steps/epoch.hpp"

namespace atrium {

inline void thank(Team& team, int owner) { count_at(team, owner, team.block_of(owner).thanks.epoch); }

// On the owner: waits until so many more have thanked.
inline void await_thanks(Team& team, int readers) {
  team.progress.thanks_expected += static_cast<uint64_t>(readers);
  await_flag(team.my_block().thanks.epoch, team.progress.thanks_expected);
}

}  // namespace atrium
