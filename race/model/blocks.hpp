// The states of the symmetric heap: what is allocated, what was freed, what was not written yet.
// SPDX-License-Identifier: BSD-3-Clause
//
// A byte of state for eight bytes of heap: how many of them belong to a block, from the first on; whether the block was
// freed; whether they were written since the allocation. Zero: they were never part of a block.
#pragma once

#include "race/model/access.hpp"

namespace atrium::race {

enum State : uint8_t { state_bytes = 15, state_freed = 16, state_unwritten = 32 };

// Requires: no other PE uses the block yet, or any more.
void begin_states(void* block, size_t bytes, bool written);
void end_states(uintptr_t begin, size_t bytes);

void check_states(const ShadowAddress& shadow, size_t bytes, const Access& access);

}  // namespace atrium::race
