// The central barrier: every member counts at member 0, the last one releases all.
// SPDX-License-Identifier: BSD-3-Clause
//
// Each PE runs once to arrive and once to leave: the fewest switches where PEs share CPUs (docs/design/waiting.md).
#include "coll/barrier/barrier.hpp"
#include "coll/steps/arrive.hpp"

namespace atrium {

static void run(Team& team, uint64_t epoch) {
  if (arrive(team)) {
    release_others(team, epoch);
  } else {
    await_release(team, epoch);
  }
}

constinit const BarrierAlgorithm barrier_by::central{"central", run};

}  // namespace atrium
