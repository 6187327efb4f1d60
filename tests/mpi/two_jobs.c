// Ranks of two jobs on one communicator: a job starts another one, and both call on what MPI_Intercomm_merge gives them. What either
// job's ranks have agreed on among themselves, the other does not know.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: two_jobs [apart]      apart: the first job has agreed on its settings, the second has not, and asks for Atrium's way
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange_once.h"

enum { started = 2, calls = 150, most_numbers = 3000 };
static int wrong;

static void use(MPI_Comm comm, int call) {
  static int numbers[most_numbers];
  int rank, size, sum = call;
  const int count = call % 20 == 19 ? most_numbers : 1;
  MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &size);
  wrong += !exchange_once(comm, call);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < count; i++) numbers[i] = rank == call % size ? call + i : -1;
  MPI_Bcast(numbers, count, MPI_INT, call % size, comm);
  for (int i = 0; i < count; i++) wrong += numbers[i] != call + i;
  MPI_Barrier(comm);
  wrong += sum != size * call;
}

int main(int argc, char** argv) {
  MPI_Comm parent, groups, all;
  const int apart = argc > 1 && !strcmp(argv[1], "apart");
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (!apart || parent == MPI_COMM_NULL) MPI_Barrier(MPI_COMM_WORLD);
  groups = parent;
  if (parent == MPI_COMM_NULL)
    MPI_Comm_spawn(argv[0], argv + 1, started, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &groups,
                   MPI_ERRCODES_IGNORE);
  else if (apart)
    setenv("ATRIUM_ALLTOALL", "always", 1), setenv("ATRIUM_ALLREDUCE", "always", 1);
  MPI_Intercomm_merge(groups, parent != MPI_COMM_NULL, &all);
  for (int call = 0; call < calls; call++) use(all, call);
  MPI_Comm_free(&all), MPI_Comm_disconnect(&groups);
  MPI_Finalize();
  if (wrong) printf("%d wrong values\n", wrong);
  return wrong != 0;
}
