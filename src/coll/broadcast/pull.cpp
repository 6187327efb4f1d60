// Broadcast by pull: a flag says that the root has come, every member reads its source at once, and acknowledges.
// SPDX-License-Identifier: BSD-3-Clause
//
// One read per member, all at the same time: the minimum of traffic. The root waits until all have read.
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/acknowledge.hpp"
#include "coll/steps/fan_out.hpp"
#include "coll/steps/transfer.hpp"

namespace atrium {

static void run(Team& team, const Broadcast& task) {
  FanOut fan_out(team);
  const Tree tree(team, task.root);
  if (!tree.is_root()) fan_out.receive();
  fan_out.send_down(tree, nullptr, 0);
  if (tree.is_root()) {
    task.copy_at_root();
    await_acknowledgements(team, team.size - 1);
  } else {
    get_from(team, task.root, task.dest, task.source, task.bytes);
    settle();
    acknowledge(team, task.root);
  }
}

constinit const BroadcastAlgorithm broadcast_by::pull{"pull", run};

}  // namespace atrium
