// The program takes all communicators that the MPI has, then exchanges on some of them: at first none is left for the
// library, and then one more each time.
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <stdio.h>

enum { most = 4096, used = 8, calls = 6, most_ranks = 64 };
static MPI_Comm comms[most];

static int take_all(void) {
  int taken = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  while (taken < most && MPI_Comm_dup(MPI_COMM_WORLD, &comms[taken]) == MPI_SUCCESS) taken++;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  return taken;
}

static int exchange(MPI_Comm comm, int call) {
  int rank, size, out[most_ranks], in[most_ranks], wrong = 0;
  MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &size);
  for (int peer = 0; peer < size; peer++) out[peer] = 1000 * call + 10 * rank + peer, in[peer] = -1;
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
  for (int peer = 0; peer < size; peer++) wrong += in[peer] != 1000 * call + 10 * peer + rank;
  return wrong;
}

int main(int argc, char** argv) {
  int wrong = 0;
  MPI_Init(&argc, &argv);
  const int taken = take_all();
  for (int i = 0; i < used; i++) {
    MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_ARE_FATAL);  // the default
    for (int call = 0; call < calls; call++) wrong += exchange(comms[i], call);
    MPI_Comm_free(&comms[i]);
  }
  for (int i = used; i < taken; i++) MPI_Comm_free(&comms[i]);
  for (int call = 0; call < calls; call++) wrong += exchange(MPI_COMM_WORLD, call);
  MPI_Finalize();
  if (!wrong) puts("all values are right");
  return taken == most ? 77 : wrong != 0;  // an MPI that always has one more
}
