// Broadcast in parts: the root writes one part into each dest while its reader reads the others.
// SPDX-License-Identifier: BSD-3-Clause
//
// Two members copy half each, at the same time, where otherwise one copies and the other waits.
#include "coll/barrier/barrier.hpp"
#include "coll/broadcast/broadcast.hpp"
#include "coll/steps/fan_out.hpp"
#include "coll/steps/slice.hpp"
#include "copy/copy.hpp"

namespace atrium {

static void run(Team& team, void* dest, const void* source, size_t bytes, int root) {
  FanOut fan_out(team);
  const size_t written = slice_of(0, team.size, bytes, 1).end;
  if (team.me == root) {
    fan_out.send_all(nullptr, 0);
    for (int step = 1; step < team.size; ++step) copy(team.there(dest, team.after(step)), source, written);
  } else {
    fan_out.receive();
    copy(element_at(dest, written, 1), team.there(element_at(source, written, 1), root), bytes - written);
  }
  synchronise(team);
}

constinit const BroadcastAlgorithm broadcast_by::split{"split", run};

}  // namespace atrium
