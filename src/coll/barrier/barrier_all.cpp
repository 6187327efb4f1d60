// Barriers: a quiet of the default context, then a sync (specification sections 9.10.1 and 9.10.2).
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/barrier/barrier.hpp"
#include "coll/coll.hpp"
#include "context/context.hpp"
#include "ops/order.hpp"
#include "team/world.hpp"

namespace atrium {

void barrier(Team& team) {
  quiet(default_context);
  synchronise(team);
}

void barrier_all() { barrier(world_team); }

}  // namespace atrium
