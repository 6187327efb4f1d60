// Blocks of the symmetric heap: those in use, and those that were freed until others are allocated there.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace atrium::interpose {

struct TrackedBlock {
  uintptr_t begin;
  size_t bytes;
  uint64_t allocated, freed;  // where, as the tool names places of the program (RoutineCall::place)
  bool alive;
};

void add_block(const void* begin, size_t bytes, uint64_t place);
void end_block(const void* begin, uint64_t place);
std::optional<TrackedBlock> live_block(const void* begin);
std::vector<TrackedBlock> end_all_blocks(uint64_t place);  // those that were alive

// The block that has this address, or the nearest below it; nothing: there is none.
std::optional<TrackedBlock> block_near(uintptr_t address);

}  // namespace atrium::interpose
