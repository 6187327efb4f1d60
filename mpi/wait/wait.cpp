// The slow stages of a wait for another rank, with the MPI's progress.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/wait.hpp"

namespace atrium::mpi {

// MPICH makes no progress where it probes a communicator of one rank.
void make_progress(const RankWaitPolicy& policy) {
  constexpr int tags = 1 << 15;  // that every MPI has
  static thread_local int turn = 0;
  int found = 0;
  turn = (turn + 1) % tags;
  if (policy.progress != MPI_COMM_NULL)
    PMPI_Iprobe(policy.rank, turn, policy.progress, &found, MPI_STATUS_IGNORE);
}

void Pause::once() {
  if (atrium_give_way(&waiting_)) make_progress(wait_policy_);
}

}  // namespace atrium::mpi
