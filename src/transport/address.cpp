// Translates addresses that other processes have named: a PE, a range and an offset.
// SPDX-License-Identifier: BSD-3-Clause
#include "transport/address.hpp"

#include "arena/far_peers.hpp"

namespace atrium {

void* address_here(const RemoteAddress& remote) {
  const ptrdiff_t& entry = arena.delta[remote.pe];
  const ptrdiff_t delta = is_here(entry) || !far_peers_exist ? entry : name_peer(remote.pe, entry);
  return is_here(delta) ? there(arena[remote.range].origin + remote.offset, delta) : nullptr;
}

}  // namespace atrium
