// The symmetric heap: how much is in use, and which line allocated it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium::profile {

// A block of that line came or went. `line` as the page numbers it; 0: nothing was recorded when it came.
void change_heap(unsigned line, size_t bytes, bool more);

}  // namespace atrium::profile
