// The leaders' barrier: members meet at the leader of their node, leaders tell each other as in dissemination.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/steps/leaders.hpp"

#include "coll/barrier/barrier.hpp"

namespace atrium {

static void run(Team& team, uint64_t) {
  TeamNodes& nodes = *team.nodes;
  NodeMeeting meeting(nodes);
  if (!meeting.leads()) return meeting.come();
  meeting.await_all();
  synchronise_leaders(nodes.leaders);
  meeting.let_go();
}

constinit const BarrierAlgorithm barrier_by::leaders{"leaders", run, any_bytes, any_members, Nodes::many};

}  // namespace atrium
