/* What the programs beside this file time: routines of the MPI, with Atrium's library in front and without.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Requires: reserve() before a call. Sums are of integers, those of `sum` of doubles. */
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *from, *to;
static int *blocks, *places; /* of alltoallv, all of the same size */

typedef void Call(int bytes, MPI_Comm comm);
struct MpiRoutine {
  const char* name;
  Call *mpi, *ours;
};

static void mpi_allreduce(int bytes, MPI_Comm comm) {
  PMPI_Allreduce(from, to, bytes / 4, MPI_INT, MPI_SUM, comm);
}
static void our_allreduce(int bytes, MPI_Comm comm) {
  MPI_Allreduce(from, to, bytes / 4, MPI_INT, MPI_SUM, comm);
}
static void mpi_sum(int bytes, MPI_Comm comm) {
  PMPI_Allreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, comm);
}
static void our_sum(int bytes, MPI_Comm comm) {
  MPI_Allreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, comm);
}
static void mpi_bcast(int bytes, MPI_Comm comm) { PMPI_Bcast(from, bytes, MPI_BYTE, 0, comm); }
static void our_bcast(int bytes, MPI_Comm comm) { MPI_Bcast(from, bytes, MPI_BYTE, 0, comm); }
static void mpi_barrier(int bytes, MPI_Comm comm) { (void)bytes, PMPI_Barrier(comm); }
static void our_barrier(int bytes, MPI_Comm comm) { (void)bytes, MPI_Barrier(comm); }
static void mpi_alltoallv(int bytes, MPI_Comm comm) {
  (void)bytes, PMPI_Alltoallv(from, blocks, places, MPI_BYTE, to, blocks, places, MPI_BYTE, comm);
}
static void our_alltoallv(int bytes, MPI_Comm comm) {
  (void)bytes, MPI_Alltoallv(from, blocks, places, MPI_BYTE, to, blocks, places, MPI_BYTE, comm);
}

static const struct MpiRoutine mpi_routines[] = {{"allreduce", mpi_allreduce, our_allreduce},
                                                 {"sum", mpi_sum, our_sum},
                                                 {"bcast", mpi_bcast, our_bcast},
                                                 {"barrier", mpi_barrier, our_barrier},
                                                 {"alltoallv", mpi_alltoallv, our_alltoallv}};

static const struct MpiRoutine* find_routine(const char* name) {
  for (size_t i = 0; i < sizeof mpi_routines / sizeof *mpi_routines; i++)
    if (!strcmp(name, mpi_routines[i].name)) return &mpi_routines[i];
  return NULL;
}

/* Memory for blocks of so many bytes from and to each of so many ranks. */
static void reserve(int ranks, int bytes) {
  from = calloc((size_t)ranks, (size_t)bytes), to = calloc((size_t)ranks, (size_t)bytes);
  blocks = calloc((size_t)ranks, sizeof *blocks), places = calloc((size_t)ranks, sizeof *places);
  for (int peer = 0; peer < ranks; peer++) blocks[peer] = bytes, places[peer] = peer * bytes;
}

static void release(void) { free(from), free(to), free(blocks), free(places); }

static int ascending(const void* a, const void* b) {
  const double left = *(const double*)a, right = *(const double*)b;
  return (left > right) - (left < right);
}

static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, ascending);
  return values[count / 2];
}
