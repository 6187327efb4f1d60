// Broadcast by letter: small data rides in the flag's line, from the root straight to everybody.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/fan_out.hpp"
#include "copy/copy.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes, int root) {
  FanOut fan_out(team);
  if (team.me == root) {
    fan_out.send_all(source, bytes);
  } else {
    copy(dest, fan_out.receive(), bytes);
  }
}

constinit const BroadcastAlgorithm broadcast_by::letter{"letter", run, payload_bytes};

}  // namespace atrium
