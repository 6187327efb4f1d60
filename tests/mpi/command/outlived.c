/* Reduces until the last rank dies, and once more without it: User-Level Failure Mitigation, as Open MPI 5 has it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

enum { calls = 400, last_of_all = 200 };

int main(int argc, char** argv) {
  MPI_Comm rest;
  int rank, ranks, left, one = 1, sum, error = MPI_SUCCESS;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int call = 0; call < calls && error == MPI_SUCCESS; call++) {
    if (call == last_of_all && rank == ranks - 1) raise(SIGKILL);
    error = MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  MPIX_Comm_revoke(MPI_COMM_WORLD);
  MPIX_Comm_shrink(MPI_COMM_WORLD, &rest);
  MPI_Comm_size(rest, &left);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, rest);
  if (error != MPI_SUCCESS && sum == left) printf("of %d ranks, %d go on\n", ranks, left);
  fflush(stdout);
  _exit(0);  // Open MPI 5.0.11 does not always come back from MPI_Finalize then
}
