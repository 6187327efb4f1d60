// What the standard allows and few programs do: types whose elements run backwards, types of Fortran's kinds, groups that talk to
// each other, nothing to send on one rank alone, a buffer that is sent from and received into. Each result is that of the MPI's own
// routine.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: rare_calls CALLS [leave]      leave: nothing is freed before MPI_Finalize
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "in_place.h"
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define MPI_Alltoall_init MPIX_Alltoall_init
#define MPI_Alltoallv_init MPIX_Alltoallv_init
#endif

enum { most_ranks = 16, most_ints = 4096 };
static int rank, size;
static int source[most_ints], ours[most_ints], expected[most_ints];

static void fill(int call) {
  for (int i = 0; i < most_ints; i++) {
    source[i] = 100000 * call + 5000 * rank + i;
    ours[i] = expected[i] = -1 - i;
  }
}

static int equal(void) { return memcmp(ours, expected, sizeof ours) == 0; }

// ---- Types ----

enum { backwards, strided_back, overlapping_back, of_a_kind, copy_of_a_kind, empty, kinds_of_types };

// The second element of `backwards` lies before the first one.
static MPI_Datatype make_type(int kind) {
  MPI_Datatype type, inner;
  const int lengths[2] = {1, 1}, places[2] = {3, -2};
  switch (kind) {
    case backwards:
      MPI_Type_create_resized(MPI_INT, 0, -(MPI_Aint)sizeof(int), &type);
      break;
    case strided_back:
      MPI_Type_vector(3, 1, -2, MPI_INT, &inner);
      MPI_Type_create_resized(inner, 0, -7 * (MPI_Aint)sizeof(int), &type);
      MPI_Type_free(&inner);
      break;
    case overlapping_back:
      MPI_Type_indexed(2, lengths, places, MPI_INT, &inner);
      MPI_Type_create_resized(inner, 2 * sizeof(int), -9 * (MPI_Aint)sizeof(int), &type);
      MPI_Type_free(&inner);
      break;
    case of_a_kind:  // of Fortran's: predefined, and without a name
      MPI_Type_create_f90_integer(9, &inner);
      MPI_Type_contiguous(2, inner, &type);
      break;
    case copy_of_a_kind:
      MPI_Type_create_f90_integer(9, &inner);
      MPI_Type_dup(inner, &type);
      break;
    default:
      MPI_Type_contiguous(0, MPI_INT, &type);
  }
  MPI_Type_commit(&type);
  return type;
}

// A buffer begins in the middle, since the types go both ways from there.
static void exchange_types(int kind, int call) {
  const int middle = most_ints / 2, count = 1 + call % 3;
  int counts[most_ranks], places[most_ranks];
  MPI_Datatype type = make_type(kind);
  fill(call);
  MPI_Alltoall(source + middle, count, type, ours + middle, count, type, MPI_COMM_WORLD);
  PMPI_Alltoall(source + middle, count, type, expected + middle, count, type, MPI_COMM_WORLD);
  expect(equal(), "MPI_Alltoall takes rare types");
  for (int peer = 0; peer < size; peer++)
    counts[peer] = (rank + peer + call) % 3, places[peer] = 4 * (size - peer);
  fill(call + 1);
  MPI_Alltoallv(source + middle, counts, places, type, ours + middle, counts, places, type, MPI_COMM_WORLD);
  PMPI_Alltoallv(source + middle, counts, places, type, expected + middle, counts, places, type,
                 MPI_COMM_WORLD);
  expect(equal(), "MPI_Alltoallv takes rare types");
  for (int i = 0; i < most_ints && rank == call % size; i++) ours[i] = expected[i] = source[i];
  MPI_Bcast(ours + middle, 100, type, call % size, MPI_COMM_WORLD);
  PMPI_Bcast(expected + middle, 100, type, call % size, MPI_COMM_WORLD);
  expect(equal(), "MPI_Bcast takes rare types");
  MPI_Type_free(&type);
}

// ---- Two groups ----

static MPI_Comm half, groups;

static void make_groups(void) {
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 0 : 1, 9, &groups);
}

static void exchange_between_groups(int call) {
  int counts[most_ranks], places[most_ranks], in_bytes[most_ranks], remote;
  MPI_Datatype types[most_ranks];
  MPI_Comm_remote_size(groups, &remote);
  for (int peer = 0; peer < remote; peer++) {
    counts[peer] = 1 + call % 2, places[peer] = 3 * peer;
    in_bytes[peer] = places[peer] * (int)sizeof(int), types[peer] = MPI_INT;
  }
  fill(call);
  MPI_Alltoallv(source, counts, places, MPI_INT, ours, counts, places, MPI_INT, groups);
  PMPI_Alltoallv(source, counts, places, MPI_INT, expected, counts, places, MPI_INT, groups);
  expect(equal(), "groups exchange blocks of different sizes");
  MPI_Alltoallw(source, counts, in_bytes, types, ours, counts, in_bytes, types, groups);
  PMPI_Alltoallw(source, counts, in_bytes, types, expected, counts, in_bytes, types, groups);
  expect(equal(), "groups exchange blocks of different types");
  MPI_Allreduce(source, ours, 300, MPI_INT, MPI_SUM, groups);
  PMPI_Allreduce(source, expected, 300, MPI_INT, MPI_SUM, groups);
  expect(equal(), "each group gets the other's sum");
  const int root = rank % 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Bcast(rank % 2 ? ours : source, 500, MPI_INT, root, groups);
  PMPI_Bcast(rank % 2 ? expected : source, 500, MPI_INT, root, groups);
  expect(equal(), "one group's root tells the other group");
  expect(MPI_Barrier(groups) == MPI_SUCCESS, "groups wait for each other");
}

// ---- Nothing to send ----

static void send_nothing(int call) {
  int counts[most_ranks], from[most_ranks], places[most_ranks];
  const int silent = call % size;  // it sends nothing, and gets something
  for (int peer = 0; peer < size; peer++) {
    counts[peer] = rank == silent ? 0 : 2, from[peer] = peer == silent ? 0 : 2;
    places[peer] = 5 * peer;
  }
  fill(call);
  MPI_Alltoallv(source, counts, places, MPI_INT, ours, from, places, MPI_INT, MPI_COMM_WORLD);
  PMPI_Alltoallv(source, counts, places, MPI_INT, expected, from, places, MPI_INT, MPI_COMM_WORLD);
  expect(equal(), "one rank may send nothing");
  fill(call);
  MPI_Allreduce(source, ours, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, ours, 0, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Bcast(ours, 0, MPI_INT, silent, MPI_COMM_WORLD);
  expect(equal(), "where nothing is sent, nothing changes");
}

// ---- In place ----

static void exchange_in_place(int call) {
  int counts[most_ranks], places[most_ranks], in_bytes[most_ranks];
  MPI_Datatype types[most_ranks];
  for (int peer = 0; peer < size; peer++) {
    counts[peer] = (rank + peer) % 3, places[peer] = 6 * peer;
    in_bytes[peer] = places[peer] * (int)sizeof(int), types[peer] = MPI_INT;
  }
  for (int which = 0; which < 4; which++) {
    if ((which == 1 || which == 2) && !works_in_place) continue;
    fill(call + which);
    memcpy(ours, source, sizeof ours), memcpy(expected, source, sizeof expected);
    if (which == 0) {
      MPI_Alltoall(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, ours, 7, MPI_INT, MPI_COMM_WORLD);
      PMPI_Alltoall(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, expected, 7, MPI_INT, MPI_COMM_WORLD);
    } else if (which == 1) {
      MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, ours, counts, places, MPI_INT,
                    MPI_COMM_WORLD);
      PMPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, expected, counts, places, MPI_INT,
                     MPI_COMM_WORLD);
    } else if (which == 2) {
      MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, ours, counts, in_bytes, types, MPI_COMM_WORLD);
      PMPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, expected, counts, in_bytes, types, MPI_COMM_WORLD);
    } else {
      MPI_Allreduce(MPI_IN_PLACE, ours, 700, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      PMPI_Allreduce(MPI_IN_PLACE, expected, 700, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    expect(equal(), "what is sent and what is received may be one buffer");
  }
}

// ---- What is left to MPI_Finalize ----

static void leave_something(void) {
  static int out[most_ranks], in[most_ranks], ones[most_ranks], places[most_ranks];
  MPI_Comm comm;
  MPI_Request request, other;
  void* memory;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int peer = 0; peer < size; peer++) ones[peer] = 1, places[peer] = peer;
  MPI_Alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, comm, MPI_INFO_NULL, &request);
  MPI_Alltoallv_init(out, ones, places, MPI_INT, in, ones, places, MPI_INT, comm, MPI_INFO_NULL, &other);
  for (int peer = 0; peer < size; peer++) out[peer] = 10 * rank + peer, in[peer] = -1;
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int peer = 0; peer < size; peer++) expect(in[peer] == 10 * peer + rank, "a request brings its data");
  MPI_Alloc_mem(1 << 20, MPI_INFO_NULL, &memory);
  memset(memory, rank, 1 << 20);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int calls = argc > 1 ? atoi(argv[1]) : 1, leaves = argc > 2 && !strcmp(argv[2], "leave");
  if (size > 1) make_groups();
  for (int call = 0; call < calls; call++) {
    for (int kind = 0; kind < kinds_of_types; kind++) exchange_types(kind, call);
    if (size > 1) exchange_between_groups(call);
    send_nothing(call);
    exchange_in_place(call);
  }
  if (leaves) leave_something();
  if (size > 1 && !leaves) MPI_Comm_free(&groups), MPI_Comm_free(&half);
  MPI_Finalize();
  return failures != 0;
}
