// The last ranks, as many as the argument says, exchange on a communicator of their own; the others make no call that the
// library knows.
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "exchange_once.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, wrong = 0;
  const int ranks = argc > 1 ? atoi(argv[1]) : 0;
  MPI_Comm others;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank >= size - ranks ? 0 : MPI_UNDEFINED, rank, &others);
  for (int call = 0; call < 10 && others != MPI_COMM_NULL; call++) {
    MPI_Comm_set_name(others, "the others");
    wrong += !exchange_once(others, call);
  }
  if (others != MPI_COMM_NULL) MPI_Comm_free(&others);
  if (rank == 0) printf("%d ranks exchange\n", ranks);
  MPI_Finalize();
  return wrong != 0;
}
