// Reads from the context of a signal handler at which instruction the signal has interrupted the program.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace atrium {

// `context`: what a handler with SA_SIGINFO gets. 0 on processors that are not known here.
inline uintptr_t program_counter(const void* context) {
  [[maybe_unused]] const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<uintptr_t>(machine.pc);
#else
  return 0;
#endif
}

// Where a call that has just been made returns to, before the called function has done anything; likewise. Requires: the stack can
// be read.
inline uintptr_t return_address_at_entry(const void* context) {
  [[maybe_unused]] const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return *reinterpret_cast<const uintptr_t*>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return static_cast<uintptr_t>(machine.regs[30]);
#else
  return 0;
#endif
}

// Where its stack ends; likewise.
inline uintptr_t stack_pointer(const void* context) {
  [[maybe_unused]] const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<uintptr_t>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return static_cast<uintptr_t>(machine.sp);
#else
  return 0;
#endif
}

}  // namespace atrium
