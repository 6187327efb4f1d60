// A program that opens sessions of MPI-4 and never calls MPI_Init.
//
// usage: session [SESSIONS [TURNS]]      SESSIONS at the same time (Open MPI 5.0 aborts with two); all of them so often again (MPICH
// 4.0 faults in the second turn)
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#if MPI_VERSION < 4 && (!defined(OMPI_MAJOR_VERSION) || \
                        OMPI_MAJOR_VERSION < 5)  // that has them, and is an MPI 3.1 by its own word
int main(void) {
  puts("this MPI has no sessions");
  return 77;
}
#else
#include "exchange_once.h"

enum { most_sessions = 2 };
static const char* const names[most_sessions] = {"first", "second"};
static int wrong;

static MPI_Comm open_comm(MPI_Session* session, const char* name) {
  MPI_Group group;
  MPI_Comm comm;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session);
  MPI_Group_from_session_pset(*session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, name, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  return comm;
}

static void use(MPI_Comm comm, int call) {
  int size, sum = call;
  MPI_Comm_size(comm, &size);
  wrong += !exchange_once(comm, call);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
  MPI_Barrier(comm);
  wrong += sum != size * call;
}

static void run(int sessions) {
  MPI_Session session[most_sessions];
  MPI_Comm comms[most_sessions];
  for (int i = 0; i < sessions; i++) comms[i] = open_comm(&session[i], names[i]);
  for (int i = 0; i < sessions; i++) {
    for (int call = 0; call < 40; call++)
      for (int open = i; open < sessions; open++) use(comms[open], call);
    MPI_Comm_free(&comms[i]);
    MPI_Session_finalize(&session[i]);
  }
}

int main(int argc, char** argv) {
  const int sessions = argc > 1 ? atoi(argv[1]) : 1, turns = argc > 2 ? atoi(argv[2]) : 1;
  for (int turn = 0; turn < turns; turn++) run(sessions);
  return wrong != 0;
}
#endif
