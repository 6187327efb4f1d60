// Moving bytes within the node.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      A *kernel* is one way to copy a large block. Up to 64 bytes a copy is inline loads and stores,
// then it is
//             libc's memcpy, and from the *threshold* up it is the kernel that was chosen at init.
// Invariants. When copy returns, its stores are ordered like plain stores of the calling thread: a release
// store or a
//             fence that follows orders them, also where the kernel used non-temporal stores.
// Thread safety. Any number of threads; select_copy once before.
#pragma once

#include <cstddef>
#include <cstring>

#include "copy/kernels.hpp"
#include "copy/small.hpp"
#include "core/result.hpp"

namespace atrium {

namespace detail {
extern void (*large_copy)(void* dest, const void* source, size_t bytes);
extern size_t large_copy_from;
}  // namespace detail

// Copies `bytes` bytes. Requires: the ranges do not overlap, or dest == source. Null pointers are fine with 0
// bytes.
inline void copy(void* dest, const void* source, size_t bytes) {
  if (__builtin_expect(bytes <= 64, 1)) return copy_small(dest, source, bytes);
  if (bytes < detail::large_copy_from) {
    std::memcpy(dest, source, bytes);
    return;
  }
  detail::large_copy(dest, source, bytes);
}

// Decides the kernel from ATRIUM_COPY, or the best one for this processor. Called once by init; before it,
// copy uses memcpy.
Result<void> select_copy();

}  // namespace atrium
