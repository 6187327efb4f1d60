// The leaders' barrier: members meet at the leader of their node, leaders signal each other as in dissemination.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/steps/leaders.hpp"

#include "coll/barrier/barrier.hpp"
#include "team/disseminate.hpp"
#include "team/same_call.hpp"

namespace atrium {
namespace {

// As synchronise_leaders. My notice of this call goes to the next leader with my first flag, once.
void synchronise_with_notice(Team& team) {
  Team& leaders = team.nodes->leaders;
  const Notice* const notice = unsent_notice(team);
  if (!notice) return synchronise_leaders(leaders);
  settle();
  const uint64_t epoch = ++leaders.progress.syncs;
  disseminate(leaders, &TeamBlock::rounds, epoch, [&](int next, int round) {
    if (round > 0) return raise(leaders, next, &TeamBlock::rounds, round, epoch);
    TeamBlock& theirs = leaders.block_of(next);
    detail::raise_away(leaders, next, theirs.rounds[round].epoch, epoch, &notice_in(theirs, notice->number),
                       notice, sizeof *notice);
  });
}

}  // namespace

static void run(Team& team, uint64_t) {
  TeamNodes& nodes = *team.nodes;
  NodeSync sync(nodes);
  if (!sync.leads()) return sync.arrive_and_wait();
  sync.await_all();
  synchronise_with_notice(team);
  sync.release();
}

constinit const BarrierAlgorithm barrier_by::leaders{"leaders", run, any_bytes, any_members,
                                                     ServedNodes::many};

}  // namespace atrium
