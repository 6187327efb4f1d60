// The leaders' barrier: members meet at the leader of their node, leaders signal each other as in dissemination. Where they have CPUs of
// their own, several leaders of a node signal, each another node in a round.
// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "coll/barrier/barrier.hpp"
#include "coll/steps/spread.hpp"
#include "team/same_call.hpp"

namespace atrium {
namespace {

// `notice`: of this call, for the other leader, with my flag; or null.
void signal(TeamNodes& nodes, int to, uint64_t epoch, const Notice* notice) {
  const void* const place = notice ? &notice_in(nodes.leaders.block_of(to), notice->number) : nullptr;
  detail::raise_away(nodes.leaders, to, nodes.flag(to, nodes.me, TeamNodes::Flag::syncs), epoch, place,
                     notice, notice ? sizeof *notice : 0);
}

void run(Team& team, uint64_t) {
  TeamNodes& nodes = *team.nodes;
  const int leaders = spreading_leaders(nodes);
  SharedSync sync(nodes, leaders);
  if (!sync.leads()) return sync.arrive_and_wait();
  sync.await_all();
  const uint64_t epoch = ++nodes.spread_syncs;
  const SpreadRounds rounds(nodes, leaders, epoch);
  const Notice* notice = nodes.node.me == 0 ? unsent_notice(team) : nullptr;
  nodes.noticed = rounds.step(0).from;
  spread(sync, nodes.node.me, rounds, [&](const SpreadStep& step) {
    signal(nodes, step.to, epoch, std::exchange(notice, nullptr));
    await_flag(nodes.leaders, nodes.flag(nodes.me, step.from, TeamNodes::Flag::syncs), epoch,
               WaitKind::barrier);
  });
  sync.release();
}

}  // namespace

constinit const BarrierAlgorithm barrier_by::leaders{"leaders", run, any_bytes, any_members,
                                                     ServedNodes::many};

}  // namespace atrium
