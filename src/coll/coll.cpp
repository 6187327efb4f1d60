// Setting collectives up, and syncs.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/coll.hpp"

#include "coll/alltoall/alltoall.hpp"
#include "coll/barrier/barrier.hpp"
#include "coll/broadcast/broadcast.hpp"
#include "coll/collect/collect.hpp"
#include "coll/reduce/reduce.hpp"
#include "coll/scan/scan.hpp"
#include "team/meeting.hpp"
#include "team/world.hpp"

namespace atrium {
namespace {

template <class... Families>
Result<void> force_all(Families&... families) {
  Result<void> result;
  ((result ? void(result = families.force_from_settings()) : void()), ...);
  return result;
}

}  // namespace

// Members must choose alike, but binding and quotas may make them see different numbers of CPUs. A refusal is
// the simplest vote: one PE's yes is everybody's.
Result<void> set_up_collectives(bool crowded) {
  const Assembly assembly(world_team, {{0, 0}, crowded});
  detail::job_is_crowded = !assembly.all_accept();
  return force_all(barriers, broadcasts, fcollects, collects, alltoall_family, reductions, scans);
}

int sync(Team& team) {
  synchronise(team);
  return 0;
}

void sync_all() { synchronise(world_team); }

}  // namespace atrium
