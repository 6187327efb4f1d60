// Exchanges before MPI_Init or after MPI_Finalize: what the MPI then says names the call that the program made.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: too_early before|after
#include <mpi.h>
#include <string.h>

int main(int argc, char** argv) {
  int out = 0, in = 0;
  if (argc < 2 || strcmp(argv[1], "before")) {
    MPI_Init(&argc, &argv);
    MPI_Alltoall(&out, 1, MPI_INT, &in, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
  }
  MPI_Alltoall(&out, 1, MPI_INT, &in, 1, MPI_INT, MPI_COMM_WORLD);
  return 0;
}
