// Chooses a reduction algorithm by team and size, and runs it.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/reduce/reduce.hpp"

#include "coll/arguments.hpp"
#include "coll/families.hpp"
#include "copy/copy.hpp"
#include "team/same_call.hpp"

namespace atrium {

int reduce_elements(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop,
                    const void* returns) {
  const size_t bytes = bytes_of(n, loop.element);
  if (!enters(team, {CollectiveRoutine::reduction, bytes, 0, loop.narrow}, returns) || bytes == 0) return 0;
  check_buffers(dest, bytes, source, bytes, Identical::allowed);
  if (team.size > 1) {
    reductions.choose(team, bytes).run(team, dest, source, n, loop);
  } else if (dest != source) {
    copy(dest, source, bytes);
  }
  return 0;
}

}  // namespace atrium
