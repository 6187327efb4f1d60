// Copies bytes between PEs of a node: small blocks inline, large ones by the kernel chosen at init.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      A *kernel* is one way to copy a large block. Up to 64 bytes a copy is inline loads and stores,
//             then it is libc's memcpy, and from the first threshold of the *plan* up it is the plan's kernel
//             for the size (copy/plan.hpp).
// Invariants. When a copy returns, its stores are ordered like plain stores of the calling thread: a release
//             store or a fence that follows orders them, also where the kernel used non-temporal stores.
// Thread safety. Any number of threads; select_copy once before.
#pragma once

#include <cstddef>
#include <cstring>

#include "copy/plan.hpp"
#include "copy/small.hpp"
#include "core/result.hpp"

namespace atrium {

namespace detail {
extern CopyPlan copy_plan;
void copy_large(const CopyBands& bands, void* dest, const void* source, size_t bytes);

inline void copy_by(const CopyBands& bands, void* dest, const void* source, size_t bytes) {
  if (__builtin_expect(bytes >= bands.first, 0)) return copy_large(bands, dest, source, bytes);
  if (__builtin_expect(bytes <= copied_inline, 1)) return copy_small(dest, source, bytes);
  std::memcpy(dest, source, bytes);
}
}  // namespace detail

// Copies `bytes` bytes to memory that is mine. A size of 2^63 and more ends the job. Requires: the ranges do not overlap, or
// dest == source. Null pointers are fine with 0 bytes.
inline void copy(void* dest, const void* source, size_t bytes) {
  detail::copy_by(detail::copy_plan.get, dest, source, bytes);
}
// The same to memory of a peer, whose cache probably has it.
inline void copy_to_peer(void* dest, const void* source, size_t bytes) {
  detail::copy_by(detail::copy_plan.put, dest, source, bytes);
}

// Decides the plan from ATRIUM_COPY, or the measured one for this processor. Called once by init; before it,
// copies use memcpy.
Result<void> select_copy();
// What was decided.
const CopyPlan& chosen_copy_plan();

}  // namespace atrium
