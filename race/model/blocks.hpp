// Blocks of the symmetric heap: what is allocated, what was freed, what nobody has written yet.
// SPDX-License-Identifier: BSD-3-Clause
//
// A byte of state for eight bytes of heap: how many of them belong to a block, from the first on; whether the block was
// freed; whether nobody has written them since the allocation. Zero: they were never part of a block.
#pragma once

#include "race/model/access.hpp"

namespace atrium::race {

enum State : uint8_t { state_bytes = 15, state_freed = 16, state_unwritten = 32 };

struct Block {
  uint64_t offset, bytes;
  Origin allocated, freed;
  bool alive;
};

// Requires: no other PE uses the block yet, or any more.
void add_block(const void* begin, size_t bytes, Origin origin, bool written);
void remove_block(const void* begin, Origin origin);
void remove_all_blocks(Origin origin);
size_t block_bytes(const void* begin);  // 0: no such block

// The block that has this place of the heap, or the nearest below it; nullptr: none.
const Block* block_near(uint64_t offset);

void check_states(const Spot& spot, size_t bytes, const Access& access);

}  // namespace atrium::race
