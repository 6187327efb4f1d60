// alltoall by eager exchange: small blocks ride beside their flags.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/alltoall/alltoall.hpp"
#include "coll/steps/exchange.hpp"

namespace atrium {

static void run(Team& team, const AlltoallBlocks& blocks) {
  EagerExchange exchange(team);
  for (int step = 1; step < team.size; ++step) {
    const int member = team.after(step);
    std::byte packed[payload_bytes];
    pack_block(blocks, packed, blocks.source_block(member));
    exchange.send(member, packed, blocks.bytes());
  }
  copy_block(blocks, blocks.dest_block(team.me), blocks.source_block(team.me));
  for (int step = 1; step < team.size; ++step) {
    const int member = team.after(team.size - step);  // in the order in which they send to me
    unpack_block(blocks, blocks.dest_block(member), exchange.receive(member));
  }
}

constinit const AlltoallAlgorithm alltoall_by::eager_exchange{"eager_exchange", run, payload_bytes,
                                                              most_exchange_members};

}  // namespace atrium
