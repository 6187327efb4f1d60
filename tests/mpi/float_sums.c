// Sums of floating-point numbers go our way from the fifth call of a size on, whatever is measured: their results are those
// of the order of the ranks, the same in every run. With the argument "die" the last rank kills itself on the way.
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { calls = 300, numbers = 5, by_the_mpi = 4 };

int main(int argc, char** argv) {
  (void)argv;
  MPI_Init(&argc, &argv);
  int rank, size, wrong = 0, all = 0, largest = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int call = 0; call < calls; call++) {
    double sum[numbers], in_order[numbers] = {0};
    for (int i = 0; i < numbers; i++) sum[i] = (rank % 2 ? 1e15 : 1.0) / (call + i + rank + 3);
    for (int other = 0; other < size; other++)
      for (int i = 0; i < numbers; i++) in_order[i] += (other % 2 ? 1e15 : 1.0) / (call + i + other + 3);
    if (argc > 1 && call == calls / 2 && rank == size - 1) raise(SIGKILL);
    MPI_Allreduce(MPI_IN_PLACE, sum, numbers, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    wrong += call >= by_the_mpi && memcmp(sum, in_order, sizeof sum) != 0;
    MPI_Allreduce(&call, &largest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    wrong += largest != call;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  PMPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && all) printf("%d results are not as they should be\n", all);
  MPI_Finalize();
  return all != 0;
}
