// What the signal of a fault says: the address, and the kind of access.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>

#include <cstdint>
#include <optional>

#include "arch/memory_operand.hpp"
#include "os/program_counter.hpp"

namespace atrium {

// The address that could not be touched; nothing for a signal that was sent, and where it is not known. `context`:
// what a handler with SA_SIGINFO gets.
inline std::optional<uintptr_t> faulting_address(const siginfo_t& info,
                                                 [[maybe_unused]] const void* context) {
  if (info.si_code <= 0) return std::nullopt;
  if (info.si_code != SI_KERNEL) return reinterpret_cast<uintptr_t>(info.si_addr);
#if defined(__x86_64__)
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  constexpr int order[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                             REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  OperandRegisters registers;
  for (int i = 0; i < 16; ++i) registers.by_number[i] = static_cast<uint64_t>(machine[order[i]]);
  return impossible_operand(reinterpret_cast<const unsigned char*>(program_counter(context)), registers);
#else
  return std::nullopt;
#endif
}

}  // namespace atrium
