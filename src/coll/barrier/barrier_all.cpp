// Barriers: a quiet of the default context, then a sync (specification sections 9.10.1 and 9.10.2).
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/barrier/barrier.hpp"
#include "coll/coll.hpp"
#include "context/context.hpp"
#include "ops/ordering.hpp"
#include "team/same_call.hpp"
#include "team/world.hpp"

namespace atrium {

void barrier(Team& team) {
  quiet(default_context);
  require_same_call(team, {CollectiveRoutine::barrier});
  synchronise(team);
}

// The flags of a sync order all stores before them for the PEs that take part (SYNC epoch), and here all PEs do. So only
// threads that are not in the barrier could notice whether there was a quiet. A flag does not prove that operations on
// other nodes are complete.
void barrier_all() {
  if (job_is(threaded | many_nodes)) quiet(default_context);
  require_same_call(world_team, {CollectiveRoutine::barrier});
  synchronise(world_team);
}

}  // namespace atrium
