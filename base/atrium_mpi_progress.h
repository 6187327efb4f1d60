/* Lets the MPI go on with what is under way, while a rank waits for something else than messages.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * For both parts of Atrium for MPI (mpi/wait, mpi/window). The MPI is asked for a message of this rank to itself, with another tag
 * each time. Where such a question finds a message, Open MPI does nothing else: a message that the program takes only later would
 * keep it from all other work. So one that is found keeps it from its work for one call at most. */
#ifndef ATRIUM_MPI_PROGRESS_H
#define ATRIUM_MPI_PROGRESS_H

#include <mpi.h>

/* `rank`: of this process in `comm`, which has several: MPICH makes no progress where it probes a communicator of one. */
static inline void atrium_make_mpi_progress(MPI_Comm comm, int rank) {
  enum { tags = 1 << 15 }; /* that every MPI has */
  static __thread int turn;
  int found = 0;
  turn = (turn + 1) % tags;
  PMPI_Iprobe(rank, turn, comm, &found, MPI_STATUS_IGNORE);
}

#endif
