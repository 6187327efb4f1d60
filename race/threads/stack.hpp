// The stack of the thread that runs here.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace atrium::race {

// Nothing that was accessed on it is there any longer: the thread begins, and it may have been another one's.
void forget_stack();
// The same of what lies below this frame, up to 64 MiB. Nothing if the frame is below the stack.
void forget_stack_below(uintptr_t frame);

}  // namespace atrium::race
