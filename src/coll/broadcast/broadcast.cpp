// A broadcast: choose, run, and the root's own copy.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/broadcast/broadcast.hpp"

#include "coll/arguments.hpp"
#include "coll/families.hpp"
#include "copy/copy.hpp"

namespace atrium {

int broadcast_bytes(Team& team, void* dest, const void* source, size_t bytes, int root, RootCopy root_copy) {
  check_root(team, root);
  if (bytes == 0) return 0;
  check_buffers(dest, source, bytes);
  if (team.size > 1) broadcasts.choose(team.size, bytes).run(team, dest, source, bytes, root);
  if (team.me == root && root_copy == RootCopy::yes && dest != source) copy(dest, source, bytes);
  return 0;
}

}  // namespace atrium
