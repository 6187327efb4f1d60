// The corners of the standard: absolute addresses, far displacements, one rank, two groups, errors, many
// communicators.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: edges COMMUNICATORS [AT_ONCE]
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int rank, size, wrong;

static void expect(int holds, const char* sentence) {
  if (holds) return;
  wrong++;
  printf("rank %d: not so: %s\n", rank, sentence);
}

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

static int errors, last_class;
static void note_error(MPI_Comm* comm, int* error, ...) {
  (void)comm;
  errors++;
  MPI_Error_class(*error, &last_class);
}

static int one_error(int class) {
  const int holds = errors == 1 && last_class == class;
  if (!holds) printf("rank %d: %d errors, the last of class %d, not %d\n", rank, errors, last_class, class);
  errors = 0;
  return holds;
}

static void test_errors(void) {
  int out[64] = {0}, in[64], class;
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  exchange_once(comm, 1);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Alltoall(out, -1, MPI_INT, in, 1, MPI_INT, comm), &class);
  expect(class == MPI_ERR_COUNT, "a negative count is returned as the handler says");
  MPI_Error_class(MPI_Alltoall(out, 1, MPI_DATATYPE_NULL, in, 1, MPI_INT, comm), &class);
  expect(class == MPI_ERR_TYPE, "a null type is returned as the handler says");
  MPI_Comm_create_errhandler(note_error, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Alltoall(out, 1, MPI_INT, in, -1, MPI_INT, comm);
  expect(one_error(MPI_ERR_COUNT), "the communicator's error handler is called once");
  MPI_Datatype gaps;
  MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
  MPI_Alltoall(out, 1, gaps, in, 2, MPI_INT, comm);
  expect(one_error(MPI_ERR_TYPE), "a type that is not committed is one error where it is sent");
  MPI_Alltoall(out, 2, MPI_INT, in, 1, gaps, comm);
  expect(one_error(MPI_ERR_TYPE), "a type that is not committed is one error where it is received");
  MPI_Type_free(&gaps);
  MPI_Alltoall(out, 2, MPI_INT, in, 1, MPI_INT, comm);
  expect(one_error(MPI_ERR_TRUNCATE), "a block that is too long is one error");
#ifdef MPICH
  MPI_Alltoall(out, 1, MPI_INT, NULL, 1, MPI_INT, comm);
  expect(one_error(MPI_ERR_BUFFER), "no memory is an error");
#endif
  expect(exchange_once(comm, 2), "the communicator works after errors");
  MPI_Errhandler_free(&handler), MPI_Comm_free(&comm);
}

static int class_of(int error) {
  int class;
  MPI_Error_class(error, &class);
  return class;
}

// MPICH takes a null buffer where the type holds nothing or addresses; others it refuses on that rank alone.
static void test_null_buffer(void) {
#ifdef MPICH
  int in[2 * 64], ones[64], zeros[64] = {0};
  MPI_Comm comm;
  MPI_Datatype types[2], each[64];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(0, MPI_INT, &types[0]), MPI_Type_vector(2, 1, 2, MPI_INT, &types[1]);
  MPI_Type_commit(&types[0]), MPI_Type_commit(&types[1]);
  for (int peer = 0; peer < size; peer++) ones[peer] = 1, each[peer] = peer ? types[0] : types[1];
  if (rank == size - 1) {
    expect(class_of(MPI_Alltoallv(NULL, ones, zeros, types[1], in, zeros, zeros, MPI_INT, comm)) ==
               MPI_ERR_BUFFER,
           "a type with gaps needs a buffer");
    expect(class_of(MPI_Alltoallw(NULL, ones, zeros, each, in, ones, zeros, each, comm)) == MPI_ERR_BUFFER,
           "each type of alltoallw needs a buffer");
  }
  void* out = rank == size - 1 ? NULL : in;
  expect(MPI_Alltoallv(out, ones, zeros, types[0], in, zeros, zeros, MPI_INT, comm) == MPI_SUCCESS,
         "a type of no bytes needs no buffer");
  expect(exchange_once(comm, 4), "who had no buffer joins the others");
  MPI_Type_free(&types[0]), MPI_Type_free(&types[1]), MPI_Comm_free(&comm);
#endif
}

// The same buffer on both sides: MPICH tells it by the arguments, on that rank alone. Parts of one array are another
// matter.
static void test_aliased_buffers(void) {
  int both[4 * 64], ones[64], also_ones[64], zeros[64] = {0}, places[64], behind[64];
  MPI_Datatype ints[64];
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int peer = 0; peer < size; peer++) {
    both[peer] = value(rank, peer, 8), ones[peer] = also_ones[peer] = 1, places[peer] = peer;
    behind[peer] = 2 * size + peer, ints[peer] = MPI_INT;
  }
#ifdef MPICH
  if (rank == size - 1) {
    expect(
        class_of(MPI_Alltoall(both, 1, MPI_INT, both, 1, MPI_INT, comm)) == MPI_ERR_BUFFER &&
            class_of(MPI_Alltoallv(both, ones, places, MPI_INT, both, ones, places, MPI_INT, comm)) ==
                MPI_ERR_BUFFER &&
            class_of(MPI_Alltoallw(both, ones, zeros, ints, both, ones, zeros, ints, comm)) == MPI_ERR_BUFFER,
        "the same buffer on both sides is an error");
    expect(class_of(MPI_Alltoallv(both, ones, places, MPI_INT, both, ones, behind, MPI_INT, comm)) ==
                   MPI_ERR_BUFFER &&
               class_of(MPI_Alltoallv(both, zeros, places, MPI_INT, both, zeros, places, MPI_INT, comm)) ==
                   MPI_ERR_BUFFER,
           "it is one whatever is sent and where");
  }
#endif
  (void)zeros, (void)ints;
  expect(MPI_Alltoall(both, 0, MPI_INT, both, 0, MPI_INT, comm) == MPI_SUCCESS, "nothing is sent in place");
  expect(MPI_Alltoallv(both, ones, places, MPI_INT, both, also_ones, behind, MPI_INT, comm) == MPI_SUCCESS,
         "two parts of one array are two buffers");
  for (int peer = 0; peer < size; peer++)
    expect(both[2 * size + peer] == value(peer, rank, 8), "parts of one array are exchanged");
  expect(exchange_once(comm, 9), "who gave one buffer twice joins the others");
  MPI_Comm_free(&comm);
}

static void set_handler_everywhere(MPI_Errhandler handler) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
}

static void test_no_communicator(void) {
  int out[64] = {0}, in[64];
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(note_error, &handler);
  set_handler_everywhere(handler);
  errors = 0, MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_NULL);
  expect(one_error(MPI_ERR_COMM), "no communicator is one error");
#ifdef OPEN_MPI
  extern void mpi_alltoallw_(void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, void*, MPI_Fint*, MPI_Fint*, MPI_Fint*,
                             MPI_Fint*, MPI_Fint*);
  MPI_Fint ints[64] = {0}, comm = MPI_Comm_c2f(MPI_COMM_NULL), error;
  mpi_alltoallw_(out, ints, ints, ints, in, ints, ints, ints, &comm, &error);
  expect(one_error(MPI_ERR_COMM), "no communicator is one error in Fortran");
#else
  MPI_Comm comm, gone;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  gone = comm, MPI_Comm_free(&comm);
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, gone);
  expect(errors > 0 && last_class == MPI_ERR_COMM, "a communicator that is gone is an error");
#endif
  set_handler_everywhere(MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
}

// The MPI refuses a call before it talks to the others, so a wrong one on one rank alone returns there.
static void test_wrong_first_call(void) {
  int out[64] = {0}, in[64], ones[64], places[64];
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int peer = 0; peer < size; peer++) ones[peer] = 1, places[peer] = peer;
  if (rank == size - 1) {
    expect(class_of(MPI_Alltoall(out, -1, MPI_INT, in, 1, MPI_INT, comm)) == MPI_ERR_COUNT,
           "a wrong call needs no others, even as the first one of all");
    ones[size - 1] = -1;
    expect(class_of(MPI_Alltoallv(out, ones, places, MPI_INT, in, places, places, MPI_INT, comm)) ==
               MPI_ERR_COUNT,
           "the first call's arrays are looked at");
    ones[size - 1] = 1;
#ifdef OPEN_MPI
    expect(
        class_of(MPI_Alltoallv(out, NULL, places, MPI_INT, in, ones, places, MPI_INT, comm)) == MPI_ERR_ARG &&
            class_of(MPI_Alltoallv(out, ones, NULL, MPI_INT, in, ones, places, MPI_INT, comm)) == MPI_ERR_ARG,
        "missing arrays are an error");
#else
    expect(class_of(MPI_Alltoall(out, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm)) == MPI_ERR_BUFFER,
           "nothing is received in place");  // Open MPI raises this on MPI_COMM_WORLD, where it is fatal
#endif
  }
  expect(exchange_once(comm, 3), "who was wrong joins the others");
  MPI_Comm_free(&comm);
}

// Rank 0 sends rank 1 more than it takes, and rank 2 needs larger buffers, in the same call.
static void test_truncated(void) {
  enum { large = 100000 };
  int counts_out[64] = {0}, counts_in[64] = {0}, places[64] = {0};
  MPI_Comm comm;
  if (size != 3) return;
  int* out = calloc(large, sizeof(int));
  int* in = calloc(large, sizeof(int));
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD,
                          MPI_ERRORS_RETURN);  // MPICH raises there what leaders get between nodes
  expect(exchange_once(comm, 1), "exchanges are right before an error");
  if (rank == 0) counts_out[1] = 10;
  if (rank == 1) counts_in[0] = 5;
  if (rank == 2) counts_out[2] = counts_in[2] = large;
  const int error = MPI_Alltoallv(out, counts_out, places, MPI_INT, in, counts_in, places, MPI_INT, comm);
  expect(class_of(error) == (rank == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "who gets too much says so");
  for (int call = 2; call < 5; call++)
    expect(exchange_once(comm, call), "a truncated block harms no later call");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&comm), free(out), free(in);
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
  test_two_groups();
  test_errors();
  test_passed_through();
  test_nothing_to_send();
  test_no_communicator();
  test_wrong_first_call();
  test_null_buffer();
  test_aliased_buffers();
  test_truncated();
  test_special_types();
  const int communicators = argc > 1 ? atoi(argv[1]) : 20;
  test_communicators(communicators);
  test_many_at_once(argc > 2 ? atoi(argv[2]) : communicators * 3 / 4);
  MPI_Finalize();
  return wrong != 0;
}
