// The symmetric heap: what is in use, and which line allocated it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium::profile {

// `line` as the page numbers it; 0: nothing is recorded just now.
void note_allocated(unsigned line, const void* block, size_t bytes);
void note_freed(const void* block);
size_t size_of_block(const void* block);

}  // namespace atrium::profile
