// Scan by eager exchange: operands are sent beside their flags; every member sums what comes before it.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/scan/prefix.hpp"
#include "coll/steps/exchange.hpp"

namespace atrium {

// Messages go to every member, also to those that do not need them: an exchange is complete or its halves are not safe.
static void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop, Scan scan) {
  const size_t bytes = n * loop.element;
  alignas(16) std::byte result[payload_bytes];
  EagerExchange exchange(team);
  exchange.send_all(source, bytes);
  combine_prefix(loop, result, n, team.me, scan, [&](int member) -> const void* {
    return member == team.me ? source : exchange.receive(member);
  });
  for (int member = 0; member < team.size; ++member) {
    if (member != team.me) exchange.receive(member);
  }
  copy(dest, result, bytes);
}

constinit const ScanAlgorithm scan_by::eager_exchange{"eager_exchange", run, payload_bytes,
                                                      most_exchange_members};

}  // namespace atrium
