// The program takes all communicators that the MPI has, then exchanges on some of them: at first none is left for the
// library, and then one more each time.
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <stdio.h>

#include "exchange_once.h"

enum { most = 4096, used = 8, calls = 6 };
static MPI_Comm comms[most];

static int take_all(void) {
  int taken = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  while (taken < most && MPI_Comm_dup(MPI_COMM_WORLD, &comms[taken]) == MPI_SUCCESS) taken++;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  return taken;
}

int main(int argc, char** argv) {
  int wrong = 0;
  MPI_Init(&argc, &argv);
  const int taken = take_all();
  for (int i = 0; i < used; i++) {
    MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_ARE_FATAL);  // the default
    for (int call = 0; call < calls; call++) wrong += !exchange_once(comms[i], call);
    MPI_Comm_free(&comms[i]);
  }
  for (int i = used; i < taken; i++) MPI_Comm_free(&comms[i]);
  for (int call = 0; call < calls; call++) wrong += !exchange_once(MPI_COMM_WORLD, call);
  MPI_Finalize();
  if (!wrong) puts("all values are right");
  return taken == most ? 77 : wrong != 0;  // an MPI that always has one more
}
