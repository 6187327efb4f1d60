// Reduction by eager exchange: operands are sent beside their flags from each member to each other, and every member
// reduces everything.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/reduce/operands.hpp"
#include "coll/reduce/reduce.hpp"
#include "coll/steps/exchange.hpp"

namespace atrium {

// Straight into dest. Where dest is source, that loses my operand before it has its turn, unless it is among
// the first two: then a copy waits for it.
static void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop) {
  const size_t bytes = n * loop.element;
  EagerExchange exchange(team);
  exchange.send_all(source, bytes);
  alignas(16) std::byte kept[payload_bytes];
  const void* mine = source;
  if (team.me >= 2) {
    copy(kept, source, bytes);
    mine = kept;
  }
  combine_operands(loop, dest, n, team.size,
                   [&](int member) { return member == team.me ? mine : exchange.receive(member); });
}

constinit const ReduceAlgorithm reduce_by::eager_exchange{"eager_exchange", run, payload_bytes,
                                                          most_exchange_members};

}  // namespace atrium
