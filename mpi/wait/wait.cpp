// The slow stages of a wait for another rank, with the MPI's progress.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/wait.hpp"

#include "atrium_mpi_progress.h"

namespace atrium::mpi {

void make_progress(const RankWaitPolicy& policy) {
  if (policy.progress != MPI_COMM_NULL) atrium_make_mpi_progress(policy.progress, policy.rank);
}

void Pause::once() {
  if (atrium_give_way(&waiting_)) make_progress(wait_policy_);
}

}  // namespace atrium::mpi
