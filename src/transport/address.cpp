// Addresses as other processes understand them.
// SPDX-License-Identifier: BSD-3-Clause
#include "transport/address.hpp"

#include "arena/arena.hpp"

namespace atrium {

RemoteAddress remote_address(const void* mine, int pe) {
  size_t number = 0;  // system memory belongs to the first range, the heap
  for (size_t other = 1; other < range_count; ++other) {
    if (arena.ranges[other].contains(mine)) number = other;
  }
  const std::byte* origin = arena.ranges[number].origin;
  return {pe, static_cast<Range>(number),
          static_cast<uint64_t>(static_cast<const std::byte*>(mine) - origin)};
}

void* address_here(const RemoteAddress& remote) {
  const ptrdiff_t delta = arena.delta[remote.pe];
  return is_here(delta) ? there(arena[remote.range].origin + remote.offset, delta) : nullptr;
}

}  // namespace atrium
