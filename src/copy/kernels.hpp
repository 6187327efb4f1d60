// The kernels for large copies that this processor may run, by name.
// SPDX-License-Identifier: BSD-3-Clause
//
// To add one: write the function in the file of its architecture (x86.cpp, aarch64.cpp) and add its line to
// the list there. The contract suite (tests/contract/copy_kernel_test.cpp) then runs on it,
// ATRIUM_COPY=<name> forces it, and bench/calibrate measures it; where it wins is a row in thresholds.table.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

namespace atrium {

struct Processor;

struct CopyKernel {
  const char* name;
  // Any sizes and alignments. Leaves its stores ordered like plain ones. Requires: ranges that do not overlap.
  void (*copy)(void* dest, const void* source, size_t bytes);
  bool (*runs_on)(const Processor&);
};

// All that are compiled in; the last one is libc, which runs everywhere.
std::span<const CopyKernel> copy_kernels();
// Null if there is none of that name.
const CopyKernel* find_copy_kernel(std::string_view name);

namespace detail {
inline void copy_libc(void* dest, const void* source, size_t bytes) { std::memcpy(dest, source, bytes); }
inline bool runs_everywhere(const Processor&) { return true; }
}  // namespace detail

}  // namespace atrium
