// A scan: choose and run.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/scan/scan.hpp"

#include "coll/arguments.hpp"

namespace atrium {

int scan_elements(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop, Scan scan) {
  if (n == 0) return 0;
  check_buffers(dest, source, bytes_of(n, loop.element));
  scans.choose(team, n * loop.element).run(team, dest, source, n, loop, scan);
  return 0;
}

}  // namespace atrium
