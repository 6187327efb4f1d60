// Reductions, broadcasts, barriers and all-to-alls in random order on several communicators, each checked; ranks come late
// and run ahead as it happens. Then what the standard says of errors, and what is not ours.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: collectives SEED CALLS LARGEST_COUNT
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "expect.h"

enum { communicators = 4 };

static int world_rank;
static uint64_t common, own;  // what is drawn alike on all ranks, and on this one alone

static uint64_t draw(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 24;
}

static void come_late(void) {
  for (uint64_t times = draw(&own) % 8 ? 0 : draw(&own) % 50; times > 0; times--) sched_yield();
}

static int size_of(MPI_Comm comm) {
  int size;
  MPI_Comm_size(comm, &size);
  return size;
}

static int rank_in(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

static int value(int rank, int call, int at) { return 1000 * call + 31 * rank + at; }

static void reduce(MPI_Comm comm, int call, int count) {
  int *data = malloc((size_t)count * sizeof *data), size = size_of(comm);
  for (int i = 0; i < count; i++) data[i] = value(rank_in(comm), call, i);
  MPI_Allreduce(MPI_IN_PLACE, data, count, MPI_INT, MPI_SUM, comm);
  bool good = true;
  for (int i = 0; i < count; i++) {
    int sum = 0;
    for (int rank = 0; rank < size; rank++) sum += value(rank, call, i);
    good &= data[i] == sum;
  }
  expect(good, "a reduction has the sum of all");
  free(data);
}

// To every third word of the others, or of the root.
static void spread(MPI_Comm comm, int call, int count, int root) {
  MPI_Datatype third;
  MPI_Type_create_resized(MPI_INT, 0, 3 * sizeof(int), &third);
  MPI_Type_commit(&third);
  int* data = malloc(3 * (size_t)count * sizeof *data);
  const bool i_send = rank_in(comm) == root, has_gaps = (call % 2) != i_send;
  const int step = has_gaps ? 3 : 1;
  for (int i = 0; i < 3 * count; i++) data[i] = -7;
  for (int i = 0; i_send && i < count; i++) data[i * step] = value(root, call, i);
  MPI_Bcast(data, count, has_gaps ? third : MPI_INT, root, comm);
  bool good = true;
  for (int i = 0; i < 3 * count; i++)
    good &= data[i] == (i % step == 0 && i / step < count ? value(root, call, i / step) : -7);
  expect(good, "a broadcast brings what the root has, and touches nothing else");
  free(data);
  MPI_Type_free(&third);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void meet(MPI_Comm comm) {
  double times[2] = {now()}, last[2];
  MPI_Barrier(comm);
  times[1] = -now();
  PMPI_Allreduce(times, last, 2, MPI_DOUBLE, MPI_MAX, comm);
  expect(last[0] <= -last[1], "nobody leaves a barrier before all have come");
}

static void exchange(MPI_Comm comm, int call, int count) {
  const int size = size_of(comm), rank = rank_in(comm);
  const size_t all = (size_t)size * (size_t)count;
  int *out = malloc(all * sizeof *out), *in = malloc(all * sizeof *in);
  for (size_t i = 0; i < all; i++) out[i] = value(rank, call, (int)i);
  MPI_Alltoall(out, count, MPI_INT, in, count, MPI_INT, comm);
  bool good = true;
  for (int peer = 0; peer < size; peer++)
    for (int i = 0; i < count; i++) good &= in[peer * count + i] == value(peer, call, rank * count + i);
  expect(good, "an all-to-all brings everybody's block");
  free(out), free(in);
}

static void play(MPI_Comm* comms, int calls, int largest) {
  for (int call = 0; call < calls; call++) {
    MPI_Comm comm = comms[draw(&common) % communicators];
    const int kind = (int)(draw(&common) % 5), most = draw(&common) % 4 ? 40 : largest;
    const int count = 1 + (int)(draw(&common) % (uint64_t)most);
    const uint64_t any = draw(&common);
    if (comm == MPI_COMM_NULL) continue;
    const int root = (int)(any % (uint64_t)size_of(comm));
    come_late();
    if (kind == 0) reduce(comm, call, count);
    if (kind == 1) spread(comm, call, count, root);
    if (kind == 2) meet(comm);
    if (kind == 3) exchange(comm, call, count);
    for (int each = 0; kind == 4 && each < 5; each++) spread(comm, call + each, count, each % 2 ? root : 0);
  }
}

// ---- What is not ours, and errors ----

static void add_twice(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; i++) ((int*)inout)[i] += 2 * ((int*)in)[i];
}

static void test_users_own(void) {
  const int size = size_of(MPI_COMM_WORLD);
  int mine[4] = {1, 1, 1, 1}, got[4] = {0}, expected[4] = {0};
  MPI_Op op;
  MPI_Datatype pair;
  MPI_Op_create(add_twice, 0, &op);
  for (int call = 0; call < 10; call++) MPI_Allreduce(mine, got, 4, MPI_INT, op, MPI_COMM_WORLD);
  PMPI_Allreduce(mine, expected, 4, MPI_INT, op, MPI_COMM_WORLD);
  expect(!memcmp(got, expected, sizeof got), "a user's operation is the MPI's");
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Bcast(mine, 2, pair, size - 1, MPI_COMM_WORLD);
  MPI_Type_free(&pair), MPI_Op_free(&op);
}

static void test_nothing(void) {
  int word = 5;
  for (int call = 0; call < 10; call++) {
    MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
  }
  expect(word == 5, "of no elements there is nothing to do");
}

static int class_of(int error) {
  int class = MPI_SUCCESS;
  MPI_Error_class(error, &class);
  return class;
}

// Refused on this rank alone: the others do not come, and nobody waits for them. (Of a negative count of MPI_Allreduce, which
// is refused too, MPICH 4.0.2 damages its stack; at a null type there, MPICH 5.0.2 ends at an assertion of its own.)
static void test_errors(void) {
  MPI_Comm comm;
  double real[2] = {0}, result[2] = {0};
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int call = 0; call < 10; call++) MPI_Barrier(comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (rank_in(comm) == 0) {
#if MPI_VERSION < 5
    expect(class_of(MPI_Allreduce(real, result, 1, MPI_DATATYPE_NULL, MPI_SUM, comm)) != MPI_SUCCESS,
           "a null type is refused");
#endif
    expect(class_of(MPI_Allreduce(real, result, 1, MPI_DOUBLE, MPI_OP_NULL, comm)) == MPI_ERR_OP,
           "a null operation is refused");
    expect(class_of(MPI_Allreduce(real, result, 1, MPI_DOUBLE, MPI_BAND, comm)) == MPI_ERR_OP,
           "reals have no bits");
    expect(class_of(MPI_Bcast(real, -1, MPI_DOUBLE, 0, comm)) == MPI_ERR_COUNT,
           "a negative count is refused");
    expect(class_of(MPI_Bcast(real, 1, MPI_DATATYPE_NULL, 0, comm)) == MPI_ERR_TYPE,
           "a null type is refused");
    expect(class_of(MPI_Bcast(real, 1, MPI_DOUBLE, size_of(comm), comm)) == MPI_ERR_ROOT,
           "there is no such root");
  }
  MPI_Comm_free(&comm);
}

static void test_two_groups(void) {
  MPI_Comm half, groups;
  if (size_of(MPI_COMM_WORLD) < 2) return;
  const int odd = world_rank % 2;
  MPI_Comm_split(MPI_COMM_WORLD, odd, world_rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !odd, 5, &groups);
  int mine = odd ? 100 : 1, sum = 0, remote, word = world_rank;
  MPI_Comm_remote_size(groups, &remote);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, groups);
  expect(sum == remote * (odd ? 1 : 100), "between groups, the sum is the other group's");
  MPI_Bcast(&word, 1, MPI_INT, odd ? 0 : world_rank == 0 ? MPI_ROOT : MPI_PROC_NULL, groups);
  expect(!odd || word == 0, "between groups, the other group's root is heard");
  MPI_Barrier(groups);
  MPI_Comm_free(&groups), MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  if (argc < 4) return MPI_Abort(MPI_COMM_WORLD, 2);
  common = strtoul(argv[1], NULL, 10), own = common + 7 * (uint64_t)world_rank + 1;
  MPI_Comm comms[communicators] = {MPI_COMM_WORLD};
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &comms[2]);
  MPI_Comm_split(MPI_COMM_WORLD, world_rank == 0 ? MPI_UNDEFINED : 0, world_rank, &comms[3]);
  play(comms, atoi(argv[2]), atoi(argv[3]));
  for (int each = 1; each < communicators; each++)
    if (comms[each] != MPI_COMM_NULL) MPI_Comm_free(&comms[each]);
  test_users_own();
  test_nothing();
  test_errors();
  test_two_groups();
  MPI_Finalize();
  return failures != 0;
}
