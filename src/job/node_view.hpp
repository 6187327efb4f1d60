// The view of my node's memory that its endpoints map and register with the network.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/result.hpp"
#include "segment/layout.hpp"
#include "segment/segment.hpp"
#include "wire/node_memory.hpp"

namespace atrium {

// The same arithmetic on every PE of the job.
NodeLayout layout_of_view(const Layout& segment);

// Maps it: any PE of the node can then serve all `pes` PEs of it. It stays mapped.
Result<NodeMemory> map_view_of_node(Segment& segment, const Layout& layout, int pes);

// Wakes the PE at that place, if it sleeps: its memory has changed. `view`: a NodeMemory (EndpointHost::wake).
void wake_pe_in(void* view, int local, uint64_t offset, uint64_t bytes);

}  // namespace atrium
