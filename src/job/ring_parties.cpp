// Computes where the command rings between this PE and its neighbours' endpoints lie.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/ring_parties.hpp"

#include "arena/arena.hpp"
#include "transport/address.hpp"

namespace atrium {
namespace {

uint64_t offset_of_mine(void* map, const void* address, size_t bytes) {
  const auto* const at = static_cast<const std::byte*>(address);
  const bool is_system = at >= arena.system && at + bytes <= arena.system + arena.system_size;
  if (!is_system && !arena.is_symmetric(address, bytes)) return RingClientPlan::not_symmetric;
  return static_cast<const NodeMap*>(map)->place_of(remote_address(address, placement.me()), bytes).offset;
}

}  // namespace

// In the view of my node.
uint64_t RingParties::offset_of_block(int place) const {
  return layout.heap_at(place) + static_cast<uint64_t>(reinterpret_cast<std::byte*>(mine) - arena.system);
}

RingClientPlan RingParties::client(NodeMap& map, Traffic* traffic) const {
  const auto owner = static_cast<size_t>(placement.place() % endpoints);
  RingClientPlan plan;
  plan.mine = mine;
  plan.mine_at = offset_of_block(placement.place());
  plan.bell = &there(mine, arena.system_delta[placement.pes_here()[owner]])->bell;
  plan.traffic = traffic;
  plan.offset_of = offset_of_mine;
  plan.subject = &map;
  return plan;
}

std::vector<ClientRing> RingParties::client_rings(const NodeMemory& view) const {
  std::vector<ClientRing> clients;
  for (int place = endpoints; place < placement.places(); ++place) {
    if (place % endpoints == placement.place())
      clients.push_back({place, reinterpret_cast<RingBlock*>(view.view + offset_of_block(place))});
  }
  return clients;
}

}  // namespace atrium
