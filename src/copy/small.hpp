// Copies of at most a cache line, inline: two loads and stores that meet or overlap in the middle.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace atrium {

namespace detail {

using Vector = unsigned char __attribute__((vector_size(16), aligned(1), may_alias));

// One piece from both ends covers any size from one piece to two. All loads come before all stores. A single piece is stored once:
// its reader may clear it as soon as it is there.
template <class Piece>
inline void copy_from_both_ends(std::byte* dest, const std::byte* source, size_t bytes) {
  Piece head, tail;
  __builtin_memcpy(&head, source, sizeof head);
  __builtin_memcpy(&tail, source + bytes - sizeof tail, sizeof tail);
  __builtin_memcpy(dest, &head, sizeof head);
  if (bytes == sizeof head) return;
  __builtin_memcpy(dest + bytes - sizeof tail, &tail, sizeof tail);
}
// The same with two vectors a piece. (One object of 32 bytes would take a detour over the stack, gcc 12.)
inline void copy_two_vectors_from_both_ends(std::byte* dest, const std::byte* source, size_t bytes) {
  auto* to = reinterpret_cast<Vector*>(dest);
  auto* to_end = reinterpret_cast<Vector*>(dest + bytes);
  const auto* from = reinterpret_cast<const Vector*>(source);
  const auto* from_end = reinterpret_cast<const Vector*>(source + bytes);
  const Vector first = from[0], second = from[1], third = from_end[-2], last = from_end[-1];
  to[0] = first;
  to[1] = second;
  to_end[-2] = third;
  to_end[-1] = last;
}

}  // namespace detail

// Requires: at most 64 bytes.
inline void copy_small(void* to, const void* from, size_t bytes) {
  auto* dest = static_cast<std::byte*>(to);
  const auto* source = static_cast<const std::byte*>(from);
  if (__builtin_expect(bytes >= 32, 1)) return detail::copy_two_vectors_from_both_ends(dest, source, bytes);
  if (__builtin_expect(bytes >= 16, 1))
    return detail::copy_from_both_ends<detail::Vector>(dest, source, bytes);
  if (__builtin_expect(bytes >= 8, 1)) return detail::copy_from_both_ends<uint64_t>(dest, source, bytes);
  if (bytes >= 4) return detail::copy_from_both_ends<uint32_t>(dest, source, bytes);
  if (bytes >= 2) return detail::copy_from_both_ends<uint16_t>(dest, source, bytes);
  if (bytes == 1) *dest = *source;
}

}  // namespace atrium
