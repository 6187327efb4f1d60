// fcollect by eager exchange: small blocks are sent beside their flags, from each member to each other.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/collect/collect.hpp"
#include "coll/steps/exchange.hpp"
#include "copy/copy.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes) {
  EagerExchange exchange(team);
  exchange.send_all(source, bytes);
  for (int member = 0; member < team.size; ++member) {
    const void* block = member == team.me ? source : exchange.receive(member);
    copy(static_cast<std::byte*>(dest) + static_cast<size_t>(member) * bytes, block, bytes);
  }
}

constinit const CollectAlgorithm fcollect_by::eager_exchange{"eager_exchange", run, payload_bytes,
                                                             most_exchange_members};

}  // namespace atrium
