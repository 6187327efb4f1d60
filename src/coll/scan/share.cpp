// Scan by share: every member lays its operand out, one sync, every member sums what comes before it.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/steps/share.hpp"

#include "coll/scan/prefix.hpp"
#include "copy/copy.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop, Scan scan) {
  Share share(team, n * loop.element);
  copy(share.mine(), source, n * loop.element);
  share.open();
  combine_prefix(loop, dest, n, team.me, scan, [&](int member) { return share.of(member); });
}

constinit const ScanAlgorithm scan_by::share{"share", run, share_bytes};

}  // namespace atrium
