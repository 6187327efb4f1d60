// Eager broadcast: small data lies in the line of the flag, from the root straight to every member.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/fan_out.hpp"

namespace atrium {

static void run(Team& team, const Broadcast& task) {
  FanOut fan_out(team);
  if (team.me == task.root) {
    fan_out.send_all(task.source, task.bytes);
    task.copy_at_root();
  } else {
    copy(task.dest, fan_out.receive(), task.bytes);
  }
}

constinit const BroadcastAlgorithm broadcast_by::eager{"eager", run, payload_bytes};

}  // namespace atrium
