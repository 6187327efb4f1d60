// Waiting for a word of shared memory that another rank of the node will write.
// SPDX-License-Identifier: BSD-3-Clause
//
// Spins where every rank has a processor, and then gives it away (base/atrium_waiting.h); and lets the MPI make
// progress meanwhile, since others may wait for this rank's messages.
#pragma once

#include <mpi.h>

#include <atomic>

#include "atrium_waiting.h"

namespace atrium::mpi {

struct RankWaitPolicy {
  int spins = 0;                      // before the first yield: 0 where ranks share processors
  int spins_elsewhere = 0;            // if all that is waited for is on other processors
  MPI_Comm progress = MPI_COMM_NULL;  // asked for messages now and then, of several ranks; null: no longer
  int rank = 0;                       // of this process there
};

// Lets the MPI go on with whatever else is under way.
void make_progress(const RankWaitPolicy& policy);

// One wait, after spinning: each call gives the processor away for a while.
class Pause {
 public:
  explicit Pause(const RankWaitPolicy& policy) : wait_policy_(policy) {}
  void once();

 private:
  const RankWaitPolicy& wait_policy_;
  atrium_waiting waiting_{};
};

template <class Ready>
void wait_until(const RankWaitPolicy& policy, int spins, Ready ready) {
  if (ready()) return;
  for (; spins > 0; --spins) {
    atrium_pause();
    if (ready()) return;
  }
  for (Pause pausing(policy); !ready();) pausing.once();
}

template <class Ready>
void wait_until(const RankWaitPolicy& policy, Ready ready) {
  wait_until(policy, policy.spins, ready);
}

}  // namespace atrium::mpi
