/* Records what calls of MPI_Alltoall cost, the MPI's own way and the library's in turns of eight calls, one line a call:
 * microseconds on the slowest rank, by the MPI and by the library (ATRIUM_ALLTOALL=always, preloaded). The test of the
 * chooser replays such files (tests/mpi/recorded).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: record BYTES_PER_PAIR CALLS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kTurn = 8 };

typedef int Alltoall(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);

static void call(Alltoall* alltoall, const char* out, char* in, int bytes, double* microseconds) {
  for (int each = 0; each < kTurn; each++) {
    const double begin = MPI_Wtime();
    alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
    microseconds[each] = (MPI_Wtime() - begin) * 1e6;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int bytes = argc > 1 ? atoi(argv[1]) : 0, turns = argc > 2 ? atoi(argv[2]) / kTurn : 0;
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (bytes < 1 || turns < 1) {
    if (rank == 0) fprintf(stderr, "usage: record BYTES_PER_PAIR CALLS\n");
    MPI_Finalize();
    return 2;
  }
  char *out = calloc((size_t)ranks, (size_t)bytes), *in = calloc((size_t)ranks, (size_t)bytes);
  const size_t calls = (size_t)turns * kTurn;
  double *mpi = calloc(calls, sizeof *mpi), *own = calloc(calls, sizeof *own);
  for (int turn = 0; turn < turns; turn++) {
    call(PMPI_Alltoall, out, in, bytes, mpi + turn * kTurn);
    call(MPI_Alltoall, out, in, bytes, own + turn * kTurn);
  }
  PMPI_Allreduce(MPI_IN_PLACE, mpi, (int)calls, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  PMPI_Allreduce(MPI_IN_PLACE, own, (int)calls, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (size_t each = 0; rank == 0 && each < calls; each++) printf("%.4g %.4g\n", mpi[each], own[each]);
  free(out), free(in), free(mpi), free(own);
  MPI_Finalize();
}
