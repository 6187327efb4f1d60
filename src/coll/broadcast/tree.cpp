// Broadcast by tree: as by letter, but each member passes it on to its children.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/fan_out.hpp"
#include "copy/copy.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes, int root) {
  FanOut fan_out(team);
  const Tree tree(team, root);
  const void* data = tree.is_root() ? source : fan_out.receive();
  fan_out.send_down(tree, data, bytes);
  if (!tree.is_root()) copy(dest, data, bytes);
}

constinit const BroadcastAlgorithm broadcast_by::tree{"tree", run, payload_bytes};

}  // namespace atrium
