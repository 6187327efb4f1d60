// Prepares the collectives at init, and runs the synchronising ones (sync and barrier).
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/coll.hpp"

#include "coll/alltoall/alltoall.hpp"
#include "coll/barrier/barrier.hpp"
#include "coll/broadcast/broadcast.hpp"
#include "coll/collect/collect.hpp"
#include "coll/reduce/reduce.hpp"
#include "coll/scan/scan.hpp"
#include "team/leader_count.hpp"
#include "team/same_call.hpp"
#include "team/world.hpp"

namespace atrium {
namespace {

template <class... Families>
Result<void> force_all(Families&... families) {
  Result<void> result;
  ((result ? void(result = families.force_from_settings()) : void()), ...);
  return result;
}

template <class... Families>
void note_all(const Families&... families) {
  (families.note_where_forced_cannot_run(world_team), ...);
}

}  // namespace

Result<void> set_up_collectives(uint64_t traits, int cpus_of_node) {
  choose_element_loops();
  detail::job_traits = traits;
  if (Result<void> result = choose_leader_count(cpus_of_node); !result) return result;
  auto forced = force_all(barriers, broadcasts, fcollects, collects, alltoall_family, reductions, scans);
  if (forced) note_all(barriers, broadcasts, fcollects, collects, alltoall_family, reductions, scans);
  return forced;
}

int sync(Team& team) {
  require_same_call(team, {CollectiveRoutine::sync});
  synchronise(team);
  return 0;
}

void sync_all() { sync(world_team); }

}  // namespace atrium
