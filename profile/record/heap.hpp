// The symmetric heap: how much is in use, and which line allocated it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium::profile {

// A block was allocated or freed. `line` is that of the allocation, as the page numbers it; 0: it was not recorded.
void change_heap(unsigned line, size_t bytes, bool more);

}  // namespace atrium::profile
