// The corners of the standard: absolute addresses, far displacements, large blocks, one rank, two groups, many communicators.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: edges COMMUNICATORS [AT_ONCE]
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "exchange_once.h"
#include "expect.h"

static int rank, size;

// Types that hold addresses, from MPI_BOTTOM to MPI_BOTTOM.
static void test_bottom(void) {
  int out[2 * 64], in[2 * 64], ones[64], zeros[64];
  MPI_Datatype from[64], to[64];
  for (int peer = 0; peer < size; peer++) {
    MPI_Aint where[2];
    out[peer] = value(rank, peer, 1), out[64 + peer] = value(rank, peer, 2);
    MPI_Get_address(&out[64 + peer], &where[0]), MPI_Get_address(&out[peer], &where[1]);
    MPI_Type_create_hindexed(2, (int[]){1, 1}, where, MPI_INT, &from[peer]);
    MPI_Get_address(&in[peer], &where[0]), MPI_Get_address(&in[64 + peer], &where[1]);
    MPI_Type_create_hindexed(2, (int[]){1, 1}, where, MPI_INT, &to[peer]);
    MPI_Type_commit(&from[peer]), MPI_Type_commit(&to[peer]);
    ones[peer] = 1, zeros[peer] = 0;
  }
  MPI_Alltoallw(MPI_BOTTOM, ones, zeros, from, MPI_BOTTOM, ones, zeros, to, MPI_COMM_WORLD);
  for (int peer = 0; peer < size; peer++) {
    expect(in[peer] == value(peer, rank, 2) && in[64 + peer] == value(peer, rank, 1),
           "alltoallw takes absolute addresses");
    MPI_Type_free(&from[peer]), MPI_Type_free(&to[peer]);
  }
}

// Blocks that lie further apart than an int counts bytes; nothing of the memory between is touched.
static void test_far_displacements(void) {
  const int apart = 600 * 1000 * 1000;
  const size_t bytes = (size_t)size * apart * sizeof(int) + 4096;
  int* out = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  int* in = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (out == MAP_FAILED || in == MAP_FAILED || size > 3) return;  // displacements are ints
  int counts[4], places[4];
  for (int peer = 0; peer < size; peer++) {
    counts[peer] = 3, places[peer] = apart * (size - 1 - peer);
    for (int i = 0; i < 3; i++) out[(size_t)places[peer] + i] = value(rank, peer, i);
  }
  MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (int peer = 0; peer < size; peer++)
    for (int i = 0; i < 3; i++)
      expect(in[(size_t)places[peer] + i] == value(peer, rank, i), "displacements reach beyond 2 GiB");
  munmap(out, bytes), munmap(in, bytes);
}

// By the routines for large counts: places that no int can name.
static void test_farther_displacements(void) {
#if MPI_VERSION >= 4
  const MPI_Aint apart = (MPI_Aint)3 << 30;
  const size_t bytes = (size_t)size * apart + 4096;
  char* out = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  char* in = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (out == MAP_FAILED || in == MAP_FAILED || size > 3) return;
  MPI_Count counts[4];
  MPI_Aint places[4];
  MPI_Datatype chars[4];
  for (int peer = 0; peer < size; peer++) {
    counts[peer] = 3, places[peer] = apart * (size - 1 - peer), chars[peer] = MPI_CHAR;
    for (int i = 0; i < 3; i++) out[places[peer] + i] = (char)value(rank, peer, i);
  }
  for (int mixed = 0; mixed < 2; mixed++) {
    for (int peer = 0; peer < size; peer++) memset(in + places[peer], 0, 3);
    if (mixed)
      MPI_Alltoallw_c(out, counts, places, chars, in, counts, places, chars, MPI_COMM_WORLD);
    else
      MPI_Alltoallv_c(out, counts, places, MPI_CHAR, in, counts, places, MPI_CHAR, MPI_COMM_WORLD);
    for (int peer = 0; peer < size; peer++)
      for (int i = 0; i < 3; i++)
        expect(in[places[peer] + i] == (char)value(peer, rank, i), "displacements reach beyond an int");
  }
  munmap(out, bytes), munmap(in, bytes);
#endif
}

#if MPI_VERSION >= 4
// Of one size in bytes, but for one of the ranks no int holds the count.
static void make_large_request(void* from, void* to) {
  MPI_Request request;
  MPI_Datatype half;
  MPI_Type_contiguous(1 << 30, MPI_BYTE, &half), MPI_Type_commit(&half);
  const MPI_Count count = rank == 0 ? (MPI_Count)1 << 31 : 2;
  const MPI_Datatype type = rank == 0 ? MPI_BYTE : half;
  MPI_Alltoall_init_c(from, count, type, to, count, type, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Type_free(&half), MPI_Request_free(&request);
}

// Rank 0 sends the next one in a ring a block of a size that no other rank knows.
static void make_large_request_among_neighbours(void* from, void* to) {
  MPI_Comm ring;
  MPI_Request request;
  const int before = (rank + size - 1) % size, next = (rank + 1) % size;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &ring);
  const MPI_Count large = (MPI_Count)1 << 31, out = rank == 0 ? large : 1, in = before == 0 ? large : 1;
  MPI_Neighbor_alltoall_init_c(from, out, MPI_BYTE, to, in, MPI_BYTE, ring, MPI_INFO_NULL, &request);
  MPI_Request_free(&request), MPI_Comm_free(&ring);
}
#endif

// No start: that would touch the memory.
static void test_large_persistent_requests(void) {
#if MPI_VERSION >= 4
  const size_t bytes = (size_t)size << 31;
  void* out = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  void* in = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (out == MAP_FAILED || in == MAP_FAILED || size > 3) return;
  make_large_request(out, in);
  make_large_request_among_neighbours(out, in);
  expect(exchange_once(MPI_COMM_WORLD, 8), "the exchange after them meets all ranks");
  munmap(out, bytes), munmap(in, bytes);
#endif
}

static void test_two_groups(void) {
  MPI_Comm half, groups;
  if (size < 2) return;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 0 : 1, 5, &groups);
  int remote, out[64], in[64];
  MPI_Comm_remote_size(groups, &remote);
  for (int peer = 0; peer < remote; peer++) out[peer] = value(rank, peer, 3);
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, groups);
  for (int peer = 0; peer < remote; peer++)
    expect(in[peer] == value(2 * peer + (rank % 2 ? 0 : 1), rank / 2, 3),
           "inter-communicators exchange between groups");
  MPI_Comm_free(&groups), MPI_Comm_free(&half);
}

// What only one of the MPIs takes.
static void test_special_types(void) {
  int out[64], in[64], counts[64], expected[64], places[64];
#ifdef MPICH
  MPI_Datatype from[64], to[64];
  for (int peer = 0; peer < size; peer++) {
    out[peer] = value(rank, peer, 7), in[peer] = -1, places[peer] = 4 * peer;
    counts[peer] = peer == (rank + 1) % size, expected[peer] = rank == (peer + 1) % size;
    from[peer] = counts[peer] || rank == 0 ? MPI_INT : MPI_DATATYPE_NULL;
    to[peer] = expected[peer] || rank == 0 ? MPI_INT : MPI_DATATYPE_NULL;
  }
  MPI_Alltoallw(out, counts, places, from, in, expected, places, to, MPI_COMM_WORLD);
  for (int peer = 0; peer < size; peer++)
    expect(in[peer] == (expected[peer] ? value(peer, rank, 7) : -1),
           "no type is needed where nothing is sent");
#endif
#if MPI_VERSION >= 4
  MPI_Datatype pair;
  MPI_Type_contiguous_c(2, MPI_INT, &pair), MPI_Type_commit(&pair);
  for (int i = 0; i < 2 * size; i++) out[i] = value(rank, i / 2, i % 2);
  MPI_Alltoall(out, 1, pair, in, 2, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < 2 * size; i++)
    expect(in[i] == value(i / 2, rank, i % 2), "types may be made with large counts");
  MPI_Type_free(&pair);
#endif
  (void)out, (void)in, (void)counts, (void)expected, (void)places;
}

static void test_passed_through(void) {
  int out[64], in[64];
  MPI_Request request;
  for (int peer = 0; peer < size; peer++) out[peer] = value(rank, peer, 4);
  MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, &request);
  expect(exchange_once(MPI_COMM_WORLD, 5), "a blocking exchange overtakes one that is under way");
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int peer = 0; peer < size; peer++)
    expect(in[peer] == value(peer, rank, 4), "a non-blocking exchange is not disturbed");
}

static void test_nothing_to_send(void) {
  int none[64] = {0}, out = 1, in = 2;
  expect(MPI_Alltoall(&out, 0, MPI_INT, &in, 0, MPI_INT, MPI_COMM_WORLD) == MPI_SUCCESS, "no bytes are sent");
  expect(MPI_Alltoallv(&out, none, none, MPI_INT, &in, none, none, MPI_INT, MPI_COMM_WORLD) == MPI_SUCCESS,
         "no bytes are sent to anybody");
  expect(out == 1 && in == 2, "where nothing is sent, nothing changes");
}

static void test_communicators(int count) {
  MPI_Comm kept[16];
  for (int i = 0; i < 16; i++) {
    MPI_Comm_dup(i ? kept[i - 1] : MPI_COMM_WORLD, &kept[i]);
    expect(exchange_once(kept[i], i), "a duplicate of a communicator in use has a plan of its own");
  }
  for (int i = 0; i < count; i++) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (!exchange_once(comm, i % 100)) expect(0, "communicators come and go");
    MPI_Comm_free(&comm);
  }
  for (int i = 0; i < 8; i++) MPI_Comm_free(&kept[2 * i]);  // the others are left to MPI_Finalize
}

static void use_many(MPI_Comm* comms, int count) {
  for (int i = 0; i < count; i++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    if (!exchange_once(comms[i], i % 100)) expect(0, "many communicators are in use at the same time");
  }
}

// More than there is shared memory for, and nearly as many as MPICH allows. Those that come when the first ones have
// gone find memory.
static void test_many_at_once(int count) {
  MPI_Comm* comms = malloc(count * sizeof *comms);
  use_many(comms, count);
  for (int i = 0; i < count / 2; i++) MPI_Comm_free(&comms[i]);
  use_many(comms, count / 2);
  for (int i = 0; i < count; i++) MPI_Comm_free(&comms[i]);
  free(comms);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  expect(exchange_once(MPI_COMM_SELF, 6), "a rank exchanges with itself");
  test_bottom();
  test_far_displacements();
  test_farther_displacements();
  test_large_persistent_requests();
  test_two_groups();
  test_passed_through();
  test_nothing_to_send();
  test_special_types();
  const int communicators = argc > 1 ? atoi(argv[1]) : 20;
  test_communicators(communicators);
  test_many_at_once(argc > 2 ? atoi(argv[2]) : communicators * 3 / 4);
  MPI_Finalize();
  return failures != 0;
}
