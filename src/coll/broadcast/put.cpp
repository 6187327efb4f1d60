// Broadcast by put: the root writes into each dest and raises a flag behind it; it waits for nobody.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/fan_out.hpp"
#include "copy/copy.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes, int root) {
  FanOut fan_out(team);
  if (team.me != root) {
    fan_out.receive();
    return;
  }
  for (int step = 1; step < team.size; ++step) {
    const int member = (root + step) % team.size;
    copy_to_peer(team.there(dest, member), source, bytes);
    fan_out.send(member, nullptr, 0);
  }
}

constinit const BroadcastAlgorithm broadcast_by::put{"put", run};

}  // namespace atrium
