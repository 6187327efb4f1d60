// From my address of a symmetric object to a peer's copy: here, at an address of mine, or away, on another node.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.  A PE is *here* when this process maps its memory, and then its *delta* is what to add to my address
//         of a symmetric object to reach its copy; it is *away* when it does not, and its delta is ATRIUM_AWAY.
//
// Deltas are added here and nowhere above (tools/lint/seam).
#pragma once

#include <cstddef>
#include <cstdint>

#include "arena/arena.hpp"
#include "shmem/types.h"

namespace atrium {

inline bool is_here(ptrdiff_t delta) { return __builtin_expect(delta != ATRIUM_AWAY, 1); }

// Requires: is_here(delta). In integers: the peer's copy is no part of the object that `mine` points to, and the
// compiler must not assume so.
template <class T>
T* there(T* mine, ptrdiff_t delta) {
  return reinterpret_cast<T*>(reinterpret_cast<uintptr_t>(mine) + static_cast<uintptr_t>(delta));
}

// A PE's copy of a symmetric object, said so that every process of the job understands it.
struct RemoteAddress {
  int pe;  // number in the job
  Range range;
  uint64_t offset;  // from the origin of the range
};

// Requires: `mine` is symmetric, or system memory, which belongs to the first range, the heap.
inline RemoteAddress remote_address(const void* mine, int pe) {
  const auto in = [&](size_t number) {
    const std::byte* origin = arena.ranges[number].origin;
    return RemoteAddress{pe, static_cast<Range>(number),
                         static_cast<uint64_t>(static_cast<const std::byte*>(mine) - origin)};
  };
  for (size_t number = 1; number < range_count; ++number) {
    if (arena.ranges[number].contains(mine))
      return in(number);  // a branch, which is predicted, and no look-up
  }
  return in(0);
}
// My address of the same object.
inline std::byte* my_address(const RemoteAddress& address) {
  return arena[address.range].origin + address.offset;
}
// Whether the range has `bytes` bytes there, Atrium's own in front of the heap included.
inline bool is_inside(const RemoteAddress& address, uint64_t bytes) {
  const SymmetricRange& range = arena[address.range];
  const auto end = static_cast<uint64_t>(range.begin - range.origin) + range.bytes;
  return address.offset <= end && bytes <= end - address.offset;
}

}  // namespace atrium
