// Chooses a broadcast algorithm by team and size, and runs it.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/broadcast/broadcast.hpp"

#include "coll/arguments.hpp"
#include "coll/families.hpp"
#include "team/same_call.hpp"

namespace atrium {

static const BroadcastAlgorithm& choose_broadcast(const Team& team, const Broadcast& task) {
  const BroadcastAlgorithm& chosen = broadcasts.choose(team, task.bytes);
  return &chosen == &broadcast_by::put && !task.may_write_ahead() ? broadcast_by::pull : chosen;
}

// Specification 1.5 came with teams and forbade what the active-set forms had always been used for.
static Identical in_place(RootCopy root_copy) {
  return root_copy == RootCopy::yes ? Identical::refused : Identical::allowed;
}

int broadcast_bytes(Team& team, void* dest, const void* source, size_t bytes, int root, RootCopy root_copy,
                    const void* returns) {
  if (!enters(team, {CollectiveRoutine::broadcast, bytes, root}, returns)) return 0;
  check_root(team, root);
  if (bytes == 0) return 0;
  check_buffers(dest, bytes, source, bytes, in_place(root_copy));
  const Broadcast task{dest, source, bytes, root, root_copy};
  if (team.size > 1) {
    choose_broadcast(team, task).run(team, task);
  } else {
    task.copy_at_root();
  }
  return 0;
}

}  // namespace atrium
