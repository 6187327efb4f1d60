// The two-level barrier: members meet at the leader of their domain, leaders meet in a tree.
// SPDX-License-Identifier: BSD-3-Clause
//
// Few flags cross between caches, where one takes five times as long (docs/measurements/collectives.md).
#include "coll/barrier/barrier.hpp"
#include "coll/steps/arrive.hpp"
#include "coll/steps/domain_tree.hpp"
#include "coll/steps/gather_up.hpp"

namespace atrium {

static void run(Team& team, uint64_t epoch) {
  const LeaderTree leaders(team, 0);
  const int leader = leaders.leader_of(team.me);
  if (team.me != leader) {
    arrive_in_domain(team, leader);
    return await_release(team, epoch);
  }
  await_neighbours(team);
  gather_up(team, leaders, epoch);
  if (!leaders.is_root()) await_release(team, epoch);
  for_each_child(team, leaders, [&](int child) { raise(team, child, &TeamBlock::released, epoch); });
}

constinit const BarrierAlgorithm barrier_by::two_level{"two_level", run};

}  // namespace atrium
