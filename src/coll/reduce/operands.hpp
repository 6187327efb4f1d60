// Combines the operands of a team's members in the order of their numbers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll/element_loops.hpp"
#include "coll/steps/slice.hpp"
#include "coll/steps/transfer.hpp"
#include "team/team.hpp"

namespace atrium {

// result = operand(0) op operand(1) op ...; requires two members at least. `result` may be operand 0
// or 1, no later one.
template <class OperandOf>
void combine_operands(const ElementLoop& loop, void* result, size_t n, int members, OperandOf operand_of) {
  loop.combine(result, operand_of(0), operand_of(1), n);
  for (int member = 2; member < members; ++member) loop.combine(result, result, operand_of(member), n);
}

// All members' elements `first` ... of an array, combined. `result` overlaps no member's.
inline void combine_sources(const Team& team, const ElementLoop& loop, void* result, const void* source,
                            size_t first, size_t count) {
  alignas(128) std::byte buffer[2][piece_bytes];  // two operands at most are looked at together
  const std::byte* mine = element_at(source, first, loop.element);
  combine_operands(loop, result, count, team.size, [&](int member) {
    return look_at(team, member, mine, count * loop.element, buffer[member % 2]);
  });
}

}  // namespace atrium
