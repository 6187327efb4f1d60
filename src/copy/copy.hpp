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
#include "core/result.hpp"

namespace atrium {

namespace detail {
extern void (*large_copy)(void* dest, const void* source, size_t bytes);
extern size_t large_copy_from;

// One copy of `Chunk` bytes from both ends covers any size from Chunk to 2 * Chunk. Both loads come before
// both stores.
template <size_t Chunk>
inline void copy_from_both_ends(std::byte* dest, const std::byte* source, size_t bytes) {
  struct Piece {
    std::byte data[Chunk];
  };
  Piece head, tail;
  __builtin_memcpy(&head, source, Chunk);
  __builtin_memcpy(&tail, source + bytes - Chunk, Chunk);
  __builtin_memcpy(dest, &head, Chunk);
  __builtin_memcpy(dest + bytes - Chunk, &tail, Chunk);
}
}  // namespace detail

// Requires: at most 64 bytes.
inline void copy_small(void* to, const void* from, size_t bytes) {
  auto* dest = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  if (bytes >= 32) return detail::copy_from_both_ends<32>(dest, source, bytes);
  if (bytes >= 16) return detail::copy_from_both_ends<16>(dest, source, bytes);
  if (bytes >= 8) return detail::copy_from_both_ends<8>(dest, source, bytes);
  if (bytes >= 4) return detail::copy_from_both_ends<4>(dest, source, bytes);
  if (bytes >= 2) return detail::copy_from_both_ends<2>(dest, source, bytes);
  if (bytes == 1) *dest = *source;
}

// Copies `bytes` bytes. Requires: the ranges do not overlap, or dest == source. Null pointers are fine with 0
// bytes.
inline void copy(void* dest, const void* source, size_t bytes) {
  if (bytes <= 64) return copy_small(dest, source, bytes);
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
