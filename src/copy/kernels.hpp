// The kernels for large copies, best first.
// SPDX-License-Identifier: BSD-3-Clause
//
// To add one: write the function in the file of its architecture and add its line to the list there. The
// contract suite (tests/contract/copy_kernel_test.cpp) then runs on it, and ATRIUM_COPY=<name> forces it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "arch/processor.hpp"

namespace atrium {

inline constexpr size_t never = SIZE_MAX;

struct CopyKernel {
  const char* name;  // ATRIUM_COPY=<name>
  // Any sizes and alignments. Leaves its stores ordered like plain ones. Requires: ranges that do not
  // overlap.
  void (*copy)(void* dest, const void* source, size_t bytes);
  bool (*runs_on)(const Processor&);
  // The size from which it beats libc's memcpy on that processor, as measured; `never` where nobody has
  // measured it.
  size_t (*wins_from)(const Processor&);
};

// All that are compiled in, best first; the last one is libc, which runs everywhere.
std::span<const CopyKernel> copy_kernels();

struct CopyChoice {
  const CopyKernel* kernel;
  size_t from;  // bytes
};
CopyChoice choose_copy_kernel(const Processor& processor);
// What select_copy chose.
CopyChoice chosen_copy_kernel();

}  // namespace atrium
