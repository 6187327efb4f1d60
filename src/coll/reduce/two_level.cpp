// Reduction on two levels: each leader combines all operands, in their order, and signals its neighbours.
// SPDX-License-Identifier: BSD-3-Clause
//
// Operands lie in the shares (coll/steps/share.hpp). A leader reads them when all members have arrived; so each
// crosses to another domain once, and not once per member. Results are sent in eager slots, which are free: every member has
// come, hence read those of earlier collectives. For the same reason two halves of shares suffice.
#include "coll/reduce/operands.hpp"
#include "coll/reduce/reduce.hpp"
#include "coll/steps/arrive.hpp"
#include "coll/steps/domain_tree.hpp"
#include "coll/steps/fan_out.hpp"
#include "coll/steps/gather_up.hpp"
#include "coll/steps/share.hpp"

namespace atrium {
namespace {

// On a leader: returns when all members of the team have come.
void await_all(Team& team, const LeaderTree& leaders, uint64_t epoch) {
  await_neighbours(team);
  gather_up(team, leaders, epoch);
  release_down(team, leaders, epoch);
}

void run(Team& team, void* dest, const void* source, size_t n, const ElementLoop& loop) {
  const size_t bytes = n * loop.element;
  const LeaderTree leaders(team, 0);
  const int leader = leaders.leader_of(team.me);
  const uint64_t epoch = ++team.progress.syncs;
  team.progress.broadcasts_at_sync = team.progress.broadcasts;
  FanOut fan_out(team);
  Share share(team, bytes);
  copy(share.mine(), source, bytes);
  if (team.me != leader) {
    arrive_in_domain(team, leader);
    return copy(dest, fan_out.receive(), bytes);
  }
  await_all(team, leaders, epoch);
  combine_operands(loop, dest, n, team.size, [&](int member) { return share.of(member); });
  for (int member : domains_of(team).neighbours()) {
    if (member != team.me) fan_out.send(member, dest, bytes);
  }
}

}  // namespace

constinit const ReduceAlgorithm reduce_by::two_level{"two_level", run, payload_bytes, any_members,
                                                     ServedNodes::one};

}  // namespace atrium
