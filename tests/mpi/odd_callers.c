// Calls from unusual places: from what MPI_Finalize calls back, and from our own entry points in a program that has a
// wrapper of MPI_Alltoall, as profilers do.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: odd_callers [late]      late: no exchange before MPI_Finalize. Else the library does not see MPI_Init, as if a profiler came first
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int rank, size, wrong, wrapped;

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm) {
  wrapped++;
  return PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
}

static void exchange(int call) {
  int out[64], in[64], ones[64], places[64];
  for (int peer = 0; peer < size; peer++) {
    out[peer] = 1000 * call + 10 * rank + peer, in[peer] = -1;
    ones[peer] = 1, places[peer] = peer;
  }
  MPI_Alltoallv(out, ones, places, MPI_INT, in, ones, places, MPI_INT, MPI_COMM_WORLD);
  for (int peer = 0; peer < size; peer++) wrong += in[peer] != 1000 * call + 10 * peer + rank;
}

static int exchange_at_end(MPI_Comm comm, int key, void* attribute, void* state) {
  (void)comm, (void)key, (void)attribute, (void)state;
  for (int call = 0; call < 10; call++) exchange(call);
  return MPI_SUCCESS;
}

// An entry point that carries out MPI_Alltoall under another name; 0 if this MPI has none.
static int call_by_another_name(int* out, int* in) {
#ifdef OPEN_MPI
  extern void mpi_alltoall_(void*, MPI_Fint*, MPI_Fint*, void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
  MPI_Fint one = 1, type = MPI_Type_c2f(MPI_INT), comm = MPI_Comm_c2f(MPI_COMM_WORLD), error;
  mpi_alltoall_(out, &one, &type, in, &one, &type, &comm, &error);
  return 1;
#elif MPI_VERSION >= 4
  MPI_Alltoall_c(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
  return 1;
#else
  (void)out, (void)in;
  return 0;
#endif
}

static void call_by_other_names(void) {
  int out[64], in[64];
  for (int peer = 0; peer < size; peer++) out[peer] = 100 * rank + peer;
  for (int call = 0; call < 10; call++) {
    for (int peer = 0; peer < size; peer++) in[peer] = -1;
    if (!call_by_another_name(out, in)) return;
    for (int peer = 0; peer < size; peer++) wrong += in[peer] != 100 * peer + rank;
  }
}

int main(int argc, char** argv) {
  int key;
  const int late = argc > 1;
  late ? MPI_Init(&argc, &argv) : PMPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, exchange_at_end, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key,
                    NULL);  // if not late, before the library's own, and so called back after it
  for (int call = 0; call < 10 && !late; call++) exchange(call);
  if (!late) call_by_other_names();
  MPI_Finalize();
  // Otherwise nobody could have called the wrapper by mistake.
  if (dlsym(RTLD_DEFAULT, "MPI_Alltoall") != (void*)MPI_Alltoall)
    wrong++, puts("the wrapper is not in front");
  if (wrapped) printf("the wrapper was called %d times\n", wrapped);
  return wrong || wrapped;
}
