// Scan by leaders: operands are gathered in the areas of the leaders, and every member sums what comes before it.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "coll/scan/prefix.hpp"
#include "coll/steps/node_gather.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop, Scan scan) {
  const size_t most = area_bytes / static_cast<size_t>(team.size) / loop.element;
  if (most == 0)
    return scans.hand_over(scan_by::leaders, scan_by::push, "the team has too many members")
        .run(team, dest, source, n, loop, scan);
  for (size_t first = 0; first < n; first += most) {
    const size_t count = std::min(most, n - first);
    const std::byte* mine = element_at(source, first, loop.element);
    const size_t bytes = count * loop.element;
    const NodeGather all(team, bytes, [&](std::byte* place) { atrium::copy(place, mine, bytes); });
    combine_prefix(loop, element_at(dest, first, loop.element), count, team.me, scan,
                   [&](int member) { return all.of(member); });
  }
}

constinit const ScanAlgorithm scan_by::leaders{"leaders", run, any_bytes, any_members, ServedNodes::many};

}  // namespace atrium
