// The two-level barrier: members meet at the leader of their domain, leaders meet in a tree.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/barrier/barrier.hpp"
#include "coll/steps/domain_sync.hpp"

namespace atrium {

static void run(Team& team, uint64_t epoch) {
  const DomainSync sync(team, epoch);
  if (team.me != 0) {
    sync.arrive();
    return sync.wait();
  }
  sync.await_all();
  sync.release();
}

constinit const BarrierAlgorithm barrier_by::two_level{"two_level", run};

}  // namespace atrium
