// Scans: member k gets, element by element, the sum of the sources of members 0 ... k (inclusive) or 0 ...
// k-1 (exclusive; member 0 gets zeros).
// SPDX-License-Identifier: BSD-3-Clause
//
// Operands are combined in the order of member numbers, as in reductions.
#pragma once

#include "coll/element_loops.hpp"
#include "coll/families.hpp"
#include "coll/select/family.hpp"
#include "team/team.hpp"

namespace atrium {

// `dest` may be `source`, on all PEs alike.
using ScanRun = void(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop,
                     Scan scan);
using ScanAlgorithm = Algorithm<ScanRun>;

namespace scan_by {
extern const ScanAlgorithm eager_exchange, share, push, pull, leaders, leaders_spread, leaders_doubling, bulk;
}

extern Family<CollectiveFamily::scan, ScanRun> scans;

}  // namespace atrium
