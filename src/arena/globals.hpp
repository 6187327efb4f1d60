// The executable's static data becomes symmetric: its pages move into the segment, under the same addresses.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/result.hpp"
#include "os/executable.hpp"
#include "segment/segment.hpp"

namespace atrium {

// Copies the data segment to [offset, offset + data.size()) of `segment`, page by page and only pages that
// hold anything, and maps that range over it. Requires: no other thread writes static data meanwhile.
// `scratch` is an unused, reserved range of data.size() bytes; it is left mapped to nothing useful.
Result<void> move_globals(Segment& segment, const DataSegment& data, size_t offset, void* scratch);

// Stores to the constants among the data fault again, in memory that has been put in the place of theirs.
void protect_constants(const DataSegment& data);

}  // namespace atrium
