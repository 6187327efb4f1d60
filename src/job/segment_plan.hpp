// How large everything will be: the first PE of a node decides, the others follow.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/result.hpp"
#include "lobby/lobby.hpp"
#include "os/executable.hpp"
#include "segment/layout.hpp"
#include "topology/placement.hpp"

namespace atrium {

// The plan of this node's first PE from the settings and the limits of the machine; the
// segment's ticket is still empty. `neighbours`: PEs that share this machine's memory: those of the node, of all where nodes are
// pretended. `pinned`: the network makes all arenas present.
Result<SegmentPlan> plan_segment(const Placement& pes, int neighbours, const DataSegment& data, bool pinned);

// The heap of each PE, bytes, where the user has not said; 0: there is no room for one. `others`: bytes of each PE's arena beside
// the heap; `address_space`: what is left of it to each PE, SIZE_MAX where it is not limited.
size_t automatic_heap(const Placement& placement, int neighbours, size_t others, bool pinned,
                      size_t address_space);

// The most that the heap of each PE should have by default where a network pins it. `others`: bytes of each PE's arena beside the
// heap; `node_memory`, `lockable`: bytes for all these PEs of a node.
size_t pinned_heap(size_t pes, size_t others, size_t node_memory, size_t lockable);

// Bytes of all arenas of a node with so many PEs of a job's, where the heaps are as small as they can be: what a network that pins
// memory would pin at least.
size_t least_pinned(int places, int nodes);

// The same arithmetic on every PE.
Result<Layout> layout_of(const SegmentPlan& plan, const Placement& pes);

// An Error when this PE's executable is not that of the first: its static data would not be symmetric.
Result<void> check_same_program(const SegmentPlan& plan, const DataSegment& data);

}  // namespace atrium
