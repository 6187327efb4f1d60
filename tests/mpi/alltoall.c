// Every rank sends its number to every other by MPI_Alltoall; the library in between must not be noticed.
// With the argument "die" the last rank kills itself on the way, with "abort" it calls MPI_Abort.
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int* out = malloc(size * sizeof *out);
  int* in = malloc(size * sizeof *in);
  for (int round = 0; round < 20; round++) {
    for (int peer = 0; peer < size; peer++) out[peer] = 1000 * round + 100 * rank + peer, in[peer] = -1;
    if (argc > 1 && round == 10 && rank == size - 1)
      argv[1][0] == 'a' ? (void)MPI_Abort(MPI_COMM_WORLD, 3) : (void)raise(SIGKILL);
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    for (int peer = 0; peer < size; peer++) wrong += in[peer] != 1000 * round + 100 * peer + rank;
  }
  if (wrong) printf("rank %d: %d wrong values\n", rank, wrong);
  free(out), free(in);
  MPI_Finalize();
  return wrong != 0;
}
