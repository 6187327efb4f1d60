// Whether members of a node had better read each other's data or write it.
// SPDX-License-Identifier: BSD-3-Clause
//
// A line that I write into a peer's memory crosses between our caches twice: I fetch it to write it, and the peer fetches
// it back to read it. A line that I read crosses once, into a dest that lies in my own cache, as long as it fits there.
// What does not fit comes from memory anyway, and large copies write without fetching first. Two members are an
// exception where a write is cheaper than a read (docs/measurements/collectives.md, "PEs with a CPU each").
#pragma once

#include <cstddef>

#include "coll/select/family.hpp"
#include "team/team.hpp"

namespace atrium {

// What the second-level cache of a core holds at least, on processors of servers since 2022.
inline constexpr size_t own_cache = 1024 * 1024;

// As long as the result of a member is no more than own_cache.
inline bool may_read(const Team& team) { return team.size > 2 && !team.spans_nodes && !is_oversubscribed(); }

}  // namespace atrium
