// Communicators of the same ranks, in the same order and in others, are made, used and freed in many ways: later ones take over what
// earlier ones had.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: come_and_go ROUNDS together|apart [USES]     apart: each rank frees them in an order of its own
//        come_and_go 0 sums                    two of one name make 10 sums of 64 bytes; one makes 3 sums of a double, one 10
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { first_calls = 64 /* of a communicator: the MPI's, whatever they are */ };
enum { kinds = 5, most_ranks = 64, most_numbers = 20000 };
static int wrong;

static void expect(int found, int wanted, const char* of) {
  if (found != wanted && wrong++ < 5) printf("%s: %d, and not %d\n", of, found, wanted);
}

static void reduce(MPI_Comm comm, int count, int call) {
  static int out[most_numbers], in[most_numbers];
  int rank, size;
  MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &size);
  for (int i = 0; i < count; i++) out[i] = call + i * (rank + 1);
  MPI_Allreduce(out, in, count, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < count; i++) expect(in[i], size * call + i * size * (size + 1) / 2, "a sum");
}

static void exchange(MPI_Comm comm, int call) {
  int rank, size, out[most_ranks], in[most_ranks];
  MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &size);
  for (int peer = 0; peer < size; peer++) out[peer] = 1000 * call + 10 * rank + peer;
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
  for (int peer = 0; peer < size; peer++) expect(in[peer], 1000 * call + 10 * peer + rank, "a block");
}

static void broadcast(MPI_Comm comm, int count, int call) {
  static int numbers[most_numbers];
  int rank, size;
  MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &size);
  const int root = call % size;
  for (int i = 0; i < count; i++) numbers[i] = rank == root ? call + i : -1;
  MPI_Bcast(numbers, count, MPI_INT, root, comm);
  for (int i = 0; i < count; i++) expect(numbers[i], call + i, "a number of the root");
}

static void use(MPI_Comm comm, int call) {
  const int count = call % 11 == 10 ? most_numbers : 1 + call * 37 % 700;
  reduce(comm, count, call);
  exchange(comm, call);
  broadcast(comm, count, call);
  if (call % 3 == 0) MPI_Barrier(comm);
}

// The ranks of the world, twice, so that there are two that may go on with what either had; the same in the other order; pairs of
// neighbours; even ones and odd ones.
static void make(int rank, MPI_Comm* comms) {
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &comms[2]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[3]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[4]);
}

// Uses for each step from round to round: one makes a communicator short-lived, many let it choose.
static void come_and_go(int rounds, int apart, int uses) {
  MPI_Comm comms[kinds];
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < rounds; round++) {
    make(rank, comms);
    for (int call = 0; call < 1 + round % 7 * uses; call++)
      for (int kind = 0; kind < kinds; kind++) use(comms[(kind + round) % kinds], round + call);
    for (int kind = 0; kind < kinds; kind++) MPI_Comm_free(&comms[(kind + (apart ? rank : 0)) % kinds]);
  }
}

static void sums(void) {
  const double out[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  double in[8];
  for (int few = 0; few < 2; few++) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, "twin");
    for (int call = 0; call < first_calls; call++) MPI_Barrier(comm);
    for (int call = 0; call < 10; call++) MPI_Allreduce(out, in, 8, MPI_DOUBLE, MPI_SUM, comm);
    for (int call = 0; call < (few ? 3 : 10); call++) MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Comm_free(&comm);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 2 ? atoi(argv[1]) : 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 2 && !strcmp(argv[2], "sums"))
    sums();
  else
    come_and_go(rounds, argc > 2 && !strcmp(argv[2], "apart"), argc > 3 ? atoi(argv[3]) : 1);
  MPI_Finalize();
  return wrong != 0;
}
