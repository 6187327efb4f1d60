// Reduction by share: every member lays its operand out, one sync, every member reduces everything.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/steps/share.hpp"

#include "coll/reduce/operands.hpp"
#include "coll/reduce/reduce.hpp"
#include "copy/copy.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop) {
  Share share(team, n * loop.element);
  copy(share.mine(), source, n * loop.element);
  share.open();
  combine_operands(loop, dest, n, team.size, [&](int member) { return share.of(member); });
}

constinit const ReduceAlgorithm reduce_by::share{"share", run, share_bytes};

}  // namespace atrium
