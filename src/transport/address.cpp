// Addresses as other processes understand them.
// SPDX-License-Identifier: BSD-3-Clause
#include "transport/address.hpp"

#include "arena/arena.hpp"

namespace atrium {
namespace {

std::byte* begin_of(Range range) { return range == Range::globals ? arena.globals : arena.system; }

}  // namespace

RemoteAddress remote_address(const void* mine, int pe) {
  const Range range = arena.in_globals(mine) ? Range::globals : Range::heap;
  return {pe, range, static_cast<uint64_t>(static_cast<const std::byte*>(mine) - begin_of(range))};
}

void* address_here(const RemoteAddress& remote) {
  const ptrdiff_t delta = arena.delta[remote.pe];
  return is_here(delta) ? there(begin_of(remote.range) + remote.offset, delta) : nullptr;
}

}  // namespace atrium
