// The system area: Atrium's own symmetric memory (allocate_system and free_system of arena.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "core/result.hpp"
#include "segment/segment.hpp"

namespace atrium {

// For the process: the area lies at `offset` of `segment`, and its blocks are committed there where memory is scarce.
void back_system_area(Segment& segment, size_t offset);

// An empty area of `bytes`; its memory reads as zeros.
void open_system_area(size_t bytes);

// Bytes of system area that each PE of a job on so many nodes is given: address space, used only as far as teams are made.
size_t system_area_bytes(int nodes);

// At the start, where all PEs must allocate the same in the same order: ends the job when there is no memory for `what`.
void* require_system(size_t bytes, const char* what);
Error no_system_memory(const std::string& what);

}  // namespace atrium
