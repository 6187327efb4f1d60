// The C entry points that begin the program's use of the MPI and end a communicator.
// SPDX-License-Identifier: BSD-3-Clause
//
// The library works without them: where a profiler comes first, attributes of the MPI tell of the same ends. But the program's own
// attributes may call collectives when they are deleted, and which come before ours then is known only here. A profiler behind this
// library begins and ends with its own routines, so they are called.
#include <mpi.h>

#include "cache/cache.hpp"
#include "cache/ending.hpp"
#include "interpose/entry.hpp"
#include "interpose/next.hpp"
#include "settings/which_mpi.hpp"

using namespace atrium::mpi;

namespace {

// The first collective says what is wrong with another MPI: a program that makes none has no need of us.
int begun(int error) {
  if (error == MPI_SUCCESS && !is_another_mpi()) watch_end();
  return error;
}

// What cannot be freed is the MPI's to refuse.
bool may_end(const MPI_Comm* comm) {
  return comm && *comm != MPI_COMM_NULL && *comm != MPI_COMM_WORLD && *comm != MPI_COMM_SELF;
}

// All ranks have called the same collectives on it before they come here.
int end(MPI_Comm* comm, int free(MPI_Comm*)) {
  if (!may_end(comm)) return free(comm);
  const SeenEnd seen(*comm);
  end_state(*comm);
  return free(comm);
}

}  // namespace

ATRIUM_ENTRY int MPI_Init(int* argc, char*** argv) {
  return begun(next_routine("MPI_Init", PMPI_Init)(argc, argv));
}

ATRIUM_ENTRY int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return begun(next_routine("MPI_Init_thread", PMPI_Init_thread)(argc, argv, required, provided));
}

ATRIUM_ENTRY int MPI_Comm_free(MPI_Comm* comm) {
  return end(comm, next_routine("MPI_Comm_free", PMPI_Comm_free));
}

ATRIUM_ENTRY int MPI_Comm_disconnect(MPI_Comm* comm) {
  return end(comm, next_routine("MPI_Comm_disconnect", PMPI_Comm_disconnect));
}
