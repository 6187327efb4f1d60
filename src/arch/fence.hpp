// Fences: what makes one PE's loads and stores appear to another in program order.
// SPDX-License-Identifier: BSD-3-Clause
//
//                 x86-64                       AArch64
// full_fence      lock orq $0,(%rsp)   6 ns    dmb ish     earlier loads and stores before later ones
// release_fence   compiler only                dmb ish     earlier loads and stores before later stores
// acquire_fence   compiler only                dmb ishld   earlier loads before later loads and stores
//
// Non-temporal x86 stores obey none of the cheap ones: code that issues them ends with sfence (copy/x86.cpp).
#pragma once

namespace atrium {

#if defined(__x86_64__)
// `lock or` on the stack: 6.1 ns where mfence takes 12.5 (docs/design/inline-fast-path.md), and the
// same order for write-back memory.
inline void full_fence() { __asm__ __volatile__("lock orq $0, (%%rsp)" ::: "memory", "cc"); }
#elif defined(__aarch64__)
inline void full_fence() { __asm__ __volatile__("dmb ish" ::: "memory"); }
#else
inline void full_fence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif

// A full fence in front of an atomic exchange, which on x86 is one itself.
#if defined(__x86_64__)
inline void full_fence_before_exchange() {}
#else
inline void full_fence_before_exchange() { full_fence(); }
#endif

// SYNC get wait: with the store behind it; a thread that gets that, or waits for it, sees what was stored before.
inline void release_fence() { __atomic_thread_fence(__ATOMIC_RELEASE); }
inline void acquire_fence() { __atomic_thread_fence(__ATOMIC_ACQUIRE); }

}  // namespace atrium
