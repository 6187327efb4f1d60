// collect by eager exchange: the counts and small blocks ride beside the flags; large blocks are read or written.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/collect/collect.hpp"
#include "coll/collect/parcel.hpp"
#include "coll/steps/exchange.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes) {
  std::byte mine[payload_bytes];
  const size_t length = pack_parcel(mine, payload_bytes, team, source, bytes);
  EagerExchange exchange(team);
  exchange.send_all(mine, length);
  unpack_parcels(team, dest, source, payload_bytes, [&](int member) -> const std::byte* {
    return member == team.me ? mine : exchange.receive(member);
  });
}

constinit const CollectAlgorithm collect_by::eager_exchange{"eager_exchange", run, SIZE_MAX,
                                                            most_exchange_members};

}  // namespace atrium
