// The prefix of the members' operands that is one member's result.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>

#include "coll/reduce/operands.hpp"
#include "coll/scan/scan.hpp"
#include "copy/copy.hpp"

namespace atrium {

// result = operand(0) op ... op operand(last), `last` being me or the one before me. `result` overlaps no operand.
template <class OperandOf>
void combine_prefix(const ElementLoop& loop, void* result, size_t n, int me, Scan scan,
                    OperandOf operand_of) {
  const int last = scan == Scan::inclusive ? me : me - 1;
  if (last < 0) {
    std::memset(result, 0, n * loop.element);  // zero of every arithmetic type
    return;
  }
  if (last == 0) return copy(result, operand_of(0), n * loop.element);
  combine_operands(loop, result, n, last + 1, operand_of);
}

}  // namespace atrium
