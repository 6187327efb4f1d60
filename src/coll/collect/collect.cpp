// collect and fcollect: check the call, choose an algorithm and run it.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/collect/collect.hpp"

#include <algorithm>
#include <cstring>

#include "coll/arguments.hpp"
#include "coll/families.hpp"
#include "coll/steps/share.hpp"
#include "copy/copy.hpp"
#include "team/same_call.hpp"

namespace atrium {

int fcollect_bytes(Team& team, void* dest, const void* source, size_t bytes, const void* returns) {
  if (!enters(team, {CollectiveRoutine::fcollect, bytes}, returns) || bytes == 0) return 0;
  check_buffers(dest, bytes_of(bytes, static_cast<size_t>(team.size)), source, bytes, Identical::refused);
  if (team.size == 1) {
    copy(dest, source, bytes);
  } else {
    fcollects.choose(team, bytes).run(team, dest, source, bytes);
  }
  return 0;
}

Together sum_up(Team& team, const Together& mine) {
  Share share(team, sizeof mine);
  std::memcpy(share.mine(), &mine, sizeof mine);
  share.open();
  Together all{0, SIZE_MAX};
  for (int member = 0; member < team.size; ++member) {
    Together theirs;
    std::memcpy(&theirs, share.of(member), sizeof theirs);
    if (__builtin_add_overflow(all.bytes, theirs.bytes, &all.bytes)) all.bytes = SIZE_MAX;
    all.least_room = std::min(all.least_room, theirs.least_room);
  }
  return all;
}

// With ATRIUM_CHECK=1: dest has room for what all members bring.
static void check_whole(Team& team, const void* dest, size_t bytes) {
  if (!comparing_calls() || team.size == 1) return;
  require_symmetric("dest", dest, sum_up(team, {bytes, SIZE_MAX}).bytes);
}

// The choice must not depend on `bytes`: the others do not know mine.
int collect_bytes(Team& team, void* dest, const void* source, size_t bytes, const void* returns) {
  if (!enters(team, {CollectiveRoutine::collect}, returns)) return 0;
  check_buffers(dest, bytes, source, bytes, Identical::refused);  // as much of dest as I know of
  check_whole(team, dest, bytes);
  if (team.size > 1) {
    collects.choose(team, 0).run(team, dest, source, bytes);
  } else if (bytes > 0) {
    copy(dest, source, bytes);
  }
  return 0;
}

}  // namespace atrium
