// Reduction by mail: operands ride in letters from everybody to everybody, and everybody reduces everything.
// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "coll/reduce/operands.hpp"
#include "coll/reduce/reduce.hpp"
#include "coll/steps/exchange.hpp"

namespace atrium {

// Payloads lie 8 bytes behind a line and would not be aligned for every type: they are combined from a copy.
static void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop) {
  const size_t bytes = n * loop.element;
  alignas(128) std::byte result[payload_bytes];
  alignas(128) std::byte operand[2][128];
  Exchange exchange(team);
  exchange.send_all(source, bytes);
  combine_operands(loop, result, n, team.size, [&](int member) -> const void* {
    const void* from = member == team.me ? source : exchange.receive(member);
    return std::memcpy(operand[member % 2], from, bytes);
  });
  std::memcpy(dest, result, bytes);
}

constinit const ReduceAlgorithm reduce_by::mail{"mail", run, payload_bytes, most_mail_members};

}  // namespace atrium
