// One all-to-all of a communicator, in which each block says where it comes from, where it goes, and in which call.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <stdlib.h>

static int value(int from, int to, int call) { return 10000 * call + 100 * from + to; }

static int exchange_once(MPI_Comm comm, int call) {
  int me, ranks, good = 1;
  MPI_Comm_rank(comm, &me), MPI_Comm_size(comm, &ranks);
  int* out = malloc(ranks * sizeof(int));
  int* in = malloc(ranks * sizeof(int));
  for (int peer = 0; peer < ranks; peer++) out[peer] = value(me, peer, call), in[peer] = -1;
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
  for (int peer = 0; peer < ranks; peer++) good &= in[peer] == value(peer, me, call);
  free(out), free(in);
  return good;
}
