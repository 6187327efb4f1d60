// Broadcast by put: the root writes into each dest and raises a flag behind it; it does not wait.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/fan_out.hpp"
#include "coll/steps/transfer.hpp"

namespace atrium {

static void run(Team& team, const Broadcast& task) {
  FanOut fan_out(team);
  if (team.me != task.root) {
    fan_out.receive();
    return;
  }
  for (int step = 1; step < team.size; ++step) {
    const int member = team.after(step);
    put_to(team, member, task.dest, task.source, task.bytes);
    fan_out.send(member, nullptr, 0);
  }
  task.copy_at_root();
  settle();  // my source may change
}

constinit const BroadcastAlgorithm broadcast_by::put{"put", run};

}  // namespace atrium
