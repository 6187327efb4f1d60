// The stack of the thread that runs here.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace atrium::race {

// Nothing that was accessed below this frame, up to 64 MiB, is there any longer. A frame that is no part of the thread's stack stands for the
// whole of it if it is above, and for nothing if it is below.
void forget_stack_below(uintptr_t frame);

}  // namespace atrium::race
