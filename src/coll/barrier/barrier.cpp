// Every sync of a collective passes here.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/barrier/barrier.hpp"

#include "check/check.hpp"
#include "coll/steps/transfer.hpp"
#include "team/world.hpp"

namespace atrium {

void synchronise(Team& team) {
  if (team.spans_nodes) settle();  // what I have moved to other nodes is there before I say that I have come
  const uint64_t epoch = ++team.progress.syncs;
  team.progress.broadcasts_at_sync = team.progress.broadcasts;  // as is true when this returns
  if (team.size > 1) return barriers.choose(team, 0).run(team, epoch);
  if (&team == &world_team && team.size == 0) refuse_uninitialised();  // before init and after finalize
}

}  // namespace atrium
