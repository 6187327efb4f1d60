// When a PE ended, and in which calls and regions it was at that time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "profile/buffer/record_buffer.hpp"

namespace atrium::profile {

// Ticks of shmem_finalize, of its death, or of its last record.
uint64_t end_of(const Page& page);

// The calls and the regions that were open then, as events that end there; none of a PE that came to shmem_finalize.
std::vector<Event> unfinished_events(const Page& page);

// For how long such a call had waited.
uint64_t waited_in(const RecordBuffer& buffer, const Page& page, const Event& call);

// The arrivals at the team of that key; null: this PE is none of its members, or has not made it yet.
const TeamArrivals* find_arrivals(const Page& page, uint64_t key);

}  // namespace atrium::profile
