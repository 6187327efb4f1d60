// Chooses a scan algorithm by team and size, and runs it.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/scan/scan.hpp"

#include "coll/arguments.hpp"
#include "team/same_call.hpp"

namespace atrium {

int scan_elements(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop, Scan scan,
                  const void* returns) {
  const size_t bytes = bytes_of(n, loop.element);
  const CollectiveRoutine routine =
      scan == Scan::inclusive ? CollectiveRoutine::inscan : CollectiveRoutine::exscan;
  if (!enters(team, {routine, bytes, 0, loop.narrow}, returns) || n == 0) return 0;
  check_buffers(dest, bytes, source, bytes, Identical::allowed);
  scans.choose(team, bytes).run(team, dest, source, n, loop, scan);
  return 0;
}

}  // namespace atrium
