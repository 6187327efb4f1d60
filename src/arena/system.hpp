// The system area: Atrium's own symmetric memory (allocate_system and free_system of arena.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium {

// An empty area of `bytes`; its memory reads as zeros.
void open_system_area(size_t bytes);

// Bytes of system area that a job of so many PEs is given: address space, used only as far as teams are made.
size_t system_area_bytes(int npes);

}  // namespace atrium
