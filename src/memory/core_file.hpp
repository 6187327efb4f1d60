// How much of my heap a core file holds.
// SPDX-License-Identifier: BSD-3-Clause
//
// Up to the end of the highest block that there has been. The rest of the reserved heap, by default as large as the
// node's memory, would be written as zeros: 24 GB and two minutes for one null pointer.
#pragma once

#include <cstddef>

namespace atrium {

void begin_core_file();             // nothing yet; once the arena stands
void extend_core_file(size_t end);  // [0, end) of the heap. Requires: the heap's lock

}  // namespace atrium
