// Wrong calls return the MPI's own errors, on the ranks where they are wrong, and later calls are right.
// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "exchange_once.h"
#include "expect.h"

static int rank, size;

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

static int class_of(int error) {
  int class;
  MPI_Error_class(error, &class);
  return class;
}

// A communicator of one rank is left to the MPI, so its own error counts. MPICH since 4.2 lets MPI_ERR_IN_STATUS
// out there, which the standard has for calls that give an array of statuses.
static int class_of_long_block(void) {
  int out[2] = {0}, in[1], class;
  MPI_Comm comm;
  if (size > 1) return MPI_ERR_TRUNCATE;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  class = class_of(PMPI_Alltoall(out, 2, MPI_INT, in, 1, MPI_INT, comm));
  MPI_Comm_free(&comm);
  return class;
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
  expect(one_error(class_of_long_block()), "a block that is too long is one error");
#ifdef MPICH
  MPI_Alltoall(out, 1, MPI_INT, NULL, 1, MPI_INT, comm);
  expect(one_error(MPI_ERR_BUFFER), "no memory is an error");
#endif
  expect(exchange_once(comm, 2), "the communicator works after errors");
  MPI_Errhandler_free(&handler), MPI_Comm_free(&comm);
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

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  test_errors();
  test_no_communicator();
  test_wrong_first_call();
  test_null_buffer();
  test_aliased_buffers();
  test_truncated();
  MPI_Finalize();
  return failures != 0;
}
