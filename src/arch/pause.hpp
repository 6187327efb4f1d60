// What a spinning processor executes between two looks at memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// On AArch64 `yield` is a no-op on most cores; `isb` waits some tens of cycles, about what `pause` does on
// x86.
inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("isb" ::: "memory");
#endif
}

}  // namespace atrium
