// A broadcast: choose and run.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/broadcast/broadcast.hpp"

#include "coll/arguments.hpp"
#include "coll/families.hpp"
#include "team/same_call.hpp"

namespace atrium {

// Callers of the active-set forms alternate two destinations as they alternate two pSyncs, and count on a
// root that is one call ahead at most. One that puts into dest can be eight ahead; by the other ways members
// write their own dest.
static const BroadcastAlgorithm& choose_broadcast(const Team& team, size_t bytes, RootCopy root_copy) {
  const BroadcastAlgorithm& chosen = broadcasts.choose(team, bytes);
  return root_copy == RootCopy::no && &chosen == &broadcast_by::put ? broadcast_by::pull : chosen;
}

int broadcast_bytes(Team& team, void* dest, const void* source, size_t bytes, int root, RootCopy root_copy) {
  check_root(team, root);
  require_same_call(team, {Routine::broadcast, bytes, root});
  if (bytes == 0) return 0;
  check_buffers(dest, source, bytes);
  const Broadcast task{dest, source, bytes, root, root_copy};
  if (team.size > 1) {
    choose_broadcast(team, bytes, root_copy).run(team, task);
  } else {
    task.copy_at_root();
  }
  return 0;
}

}  // namespace atrium
