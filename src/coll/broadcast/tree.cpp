// Broadcast by tree: as eager, but each member passes it on to its children.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/fan_out.hpp"

namespace atrium {

static void run(Team& team, const Broadcast& task) {
  FanOut fan_out(team);
  const Tree tree(team, task.root);
  const void* data = tree.is_root() ? task.source : fan_out.receive();
  fan_out.send_down(tree, data, task.bytes);
  if (tree.is_root()) {
    task.copy_at_root();
  } else {
    copy(task.dest, data, task.bytes);
  }
}

constinit const BroadcastAlgorithm broadcast_by::tree{"tree", run, payload_bytes};

}  // namespace atrium
