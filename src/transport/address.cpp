// Addresses as other processes understand them.
// SPDX-License-Identifier: BSD-3-Clause
#include "transport/address.hpp"

namespace atrium {

void* address_here(const RemoteAddress& remote) {
  const ptrdiff_t delta = arena.delta[remote.pe];
  return is_here(delta) ? there(arena[remote.range].origin + remote.offset, delta) : nullptr;
}

}  // namespace atrium
