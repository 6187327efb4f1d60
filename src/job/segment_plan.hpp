// How large everything will be: PE 0 decides, the others follow.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/result.hpp"
#include "lobby/lobby.hpp"
#include "os/executable.hpp"
#include "segment/layout.hpp"

namespace atrium {

// PE 0's plan from the settings and the limits of the machine; the segment's ticket is still empty.
Result<SegmentPlan> plan_segment(int npes, const DataSegment& data);

// The same arithmetic on every PE.
Result<Layout> layout_of(const SegmentPlan& plan, int npes);

// An Error when this PE's executable is not PE 0's: its static data would not be symmetric.
Result<void> check_same_program(const SegmentPlan& plan, const DataSegment& data);

}  // namespace atrium
