// The slow stages of a wait for another rank, with the MPI's progress.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/wait.hpp"

namespace atrium::mpi {

void Pause::once() {
  if (!atrium_give_way(&waiting_)) return;
  int found = 0;
  PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, wait_policy_.progress, &found, MPI_STATUS_IGNORE);
}

}  // namespace atrium::mpi
