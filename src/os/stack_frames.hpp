// The return addresses on this thread's stack.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

namespace atrium {

// Fills in those of the callers, the nearest one first, and returns how many. As backtrace() of the C library, which loads
// libgcc_s for it, in each PE of a C program. This one is linked in, needs no memory, and may be called by handlers of signals.
size_t walk_frames(std::span<void*> frames);

}  // namespace atrium
