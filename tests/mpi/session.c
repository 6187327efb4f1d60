// A program that opens a session of MPI-4 and never calls MPI_Init.
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <stdio.h>

int main(void) {
#if MPI_VERSION < 4 && (!defined(OMPI_MAJOR_VERSION) || \
                        OMPI_MAJOR_VERSION < 5)  // that has them, and is an MPI 3.1 by its own word
  puts("this MPI has no sessions");
  return 77;
#else
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  int rank, size, wrong = 0, out[64], in[64];
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &size);
  for (int call = 0; call < 10; call++) {
    for (int peer = 0; peer < size; peer++) out[peer] = 100 * call + 10 * rank + peer, in[peer] = -1;
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    for (int peer = 0; peer < size; peer++) wrong += in[peer] != 100 * call + 10 * peer + rank;
  }
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  return wrong != 0;
#endif
}
