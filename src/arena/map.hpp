// Builds this PE's arena: finds room, moves the globals, maps the peers, fills the deltas.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/result.hpp"
#include "os/executable.hpp"
#include "segment/layout.hpp"
#include "segment/segment.hpp"
#include "topology/placement.hpp"

namespace atrium {

// Fills `arena` (except that peers may not have moved their globals yet: the job makes all PEs meet
// afterwards). Requires: called once per process; `segment` lives as long as the process.
Result<void> build_arena(Segment& segment, const Layout& layout, const DataSegment& data,
                         const Placement& pes);

// The arena looks as before init again; mappings, globals and the system area stay where they are.
void close_arena();
void reopen_arena();

}  // namespace atrium
