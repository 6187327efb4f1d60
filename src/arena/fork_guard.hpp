// A child of fork() gets private static data, as it would without Atrium.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "os/executable.hpp"
#include "segment/segment.hpp"

namespace atrium {

// From now on fork() gives the child a copy of the data segment that it does not share. `segment` must
// live as long as the process; [offset, ...) is where move_globals put the data.
void guard_fork(Segment& segment, const DataSegment& data, size_t offset);

}  // namespace atrium
