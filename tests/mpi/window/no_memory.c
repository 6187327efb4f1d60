// A rank that gets no memory for what it remembers, while the other one waits for it.
// SPDX-License-Identifier: BSD-3-Clause
#include "window.h"

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) own_memory(SIZE_MAX / 2, 4);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
