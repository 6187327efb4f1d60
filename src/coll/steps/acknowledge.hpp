// Acknowledge: readers signal the owner of a source that they no longer need it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "team/flags.hpp"

namespace atrium {

inline void acknowledge(Team& team, int owner) { add_at(team, owner, &TeamBlock::acknowledgements); }

// On the owner: waits until so many more have acknowledged.
inline void await_acknowledgements(Team& team, int readers) {
  team.progress.acknowledgements_expected += static_cast<uint64_t>(readers);
  await(team, &TeamBlock::acknowledgements, team.progress.acknowledgements_expected, WaitKind::collective);
}

}  // namespace atrium
