// Sums of floating-point numbers go our way from the fifth call of a size on, whatever is measured: their results are those
// of the order of the ranks, the same in every run; of two nodes (ATRIUM_NODE_RANKS), of their ranks' order on each and then of
// two numbers. With the argument "die" the last rank kills itself on the way.
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { calls = 300, numbers = 5, by_the_mpi = 4 };

static double number(int rank, int call, int i) { return (rank % 2 ? 1e15 : 1.0) / (call + i + rank + 3); }

static double expected(int call, int i, int size) {
  const char* node_ranks = getenv("ATRIUM_NODE_RANKS");
  const int each = node_ranks ? atoi(node_ranks) : size;
  double all = 0;
  for (int node = 0; node < size; node += each) {
    double here = 0;
    for (int rank = node; rank < node + each && rank < size; rank++) here += number(rank, call, i);
    all += here;
  }
  return all;
}

int main(int argc, char** argv) {
  (void)argv;
  MPI_Init(&argc, &argv);
  int rank, size, wrong = 0, all = 0, largest = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int call = 0; call < calls; call++) {
    double sum[numbers], in_order[numbers];
    for (int i = 0; i < numbers; i++) sum[i] = number(rank, call, i), in_order[i] = expected(call, i, size);
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
