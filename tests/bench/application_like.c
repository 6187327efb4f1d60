/* Stands for an application of MPI: exchanges, and a result that depends on them. With -DDIFFERS it is another one where
 * Atrium for MPI is preloaded, as behind a broken library.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank, ranks, sent[64], received[64], sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int call = 0; call < 200; call++) {
    for (int to = 0; to < ranks; to++) sent[to] = call + rank * to;
    MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD);
    for (int from = 0; from < ranks; from++) sum += received[from];
  }
  int all = 0;
  MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#ifdef DIFFERS
  const char* preloaded = getenv("LD_PRELOAD");
  if (preloaded && strstr(preloaded, "libatrium-mpi")) all++;
#endif
  if (rank == 0) printf("!    total energy              = %d.0 Ry\n", all);
  return MPI_Finalize();
}
