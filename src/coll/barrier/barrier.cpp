// Runs syncs and barriers: counts them, chooses an algorithm, and completes operations where a barrier must.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/barrier/barrier.hpp"

#include "check/check.hpp"
#include "coll/steps/transfer.hpp"
#include "team/world.hpp"

namespace atrium {

static uint64_t begin_sync(Team& team) {
  team.progress.broadcasts_at_sync = team.progress.broadcasts;  // as is true when the sync returns
  return ++team.progress.syncs;
}

// A team without members is the world before init and after finalize, or that of a PE outside its active set, which
// threads may share.
void synchronise(Team& team) {
  if (team.spans_nodes) settle();  // what I have moved to other nodes is there before I say that I have come
  if (team.size > 1)
    barriers.choose(team, 0).run(team, begin_sync(team));
  else if (team.size == 1)
    begin_sync(team);
  else if (&team == &world_team)
    refuse_uninitialised();
}

}  // namespace atrium
