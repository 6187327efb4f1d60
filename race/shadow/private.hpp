// The shadow of private memory, which only this process sees and which exists only while there are threads.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "race/shadow/slot.hpp"

namespace atrium::race {

// The line of eight bytes; nullptr: there is no memory for it, or the address is not mapped.
ShadowLine* private_line(uintptr_t address);

// Memory in which a library keeps each thread to a part of its own, until its owner puts it back: it is not checked.
void set_apart(const void* owner, uintptr_t begin, uintptr_t end);
void put_back(const void* owner);
bool is_apart(uintptr_t address);

// As if these bytes had not been accessed, down to whole lines.
void clear_private(uintptr_t address, size_t bytes);

}  // namespace atrium::race
