// Scan by pull: after a sync every member combines the sources before it, and after another sync they leave.
// SPDX-License-Identifier: BSD-3-Clause
//
// No member writes into a peer's memory, and the first members have less to do than the last: for few members.
// Not in place, where a result would take the place of a source that others still read.
#include "coll/barrier/barrier.hpp"
#include "coll/scan/prefix.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop, Scan scan) {
  if (dest == source)
    return scans.hand_over(scan_by::pull, scan_by::push, "it reads sources that a scan in place overwrites")
        .run(team, dest, source, n, loop, scan);
  synchronise(team);
  combine_prefix(loop, dest, n, team.me, scan, [&](int member) { return team.there(source, member); });
  synchronise(team);
}

constinit const ScanAlgorithm scan_by::pull{"pull", run, any_bytes, any_members, ServedNodes::one};

}  // namespace atrium
