/* Words, put, get and the barrier of an OpenSHMEM library beside a copy of memory (beside_copy.h), from PE 0 to PE 1. In OpenSHMEM 1.0
 * and in what C and C++ share, so that the library of POSH's authors compiles it, too.
 * SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* for clock_gettime */

#include <shmem.h>

#include "beside_copy.h"

static void by_put(long calls, void* there, const void* here, size_t bytes) {
  for (long call = 0; call < calls; call++) shmem_putmem(there, here, bytes, 1), touched(there);
}
static void by_get(long calls, void* there, const void* here, size_t bytes) {
  for (long call = 0; call < calls; call++) shmem_getmem(there, (void*)here, bytes, 1), touched(there);
}
static void by_p(long calls, void* there, const void* here, size_t bytes) {
  (void)here, (void)bytes;
  for (long call = 0; call < calls; call++) shmem_long_p((long*)there, call, 1), touched(there);
}
static void by_g(long calls, void* there, const void* here, size_t bytes) {
  long got = 0;
  (void)here, (void)bytes;
  for (long call = 0; call < calls; call++) {
    got = shmem_long_g((long*)there, 1);
    touched(&got);
  }
}
static void by_barrier(long calls, void* there, const void* here, size_t bytes) {
  (void)there, (void)here, (void)bytes;
  for (long call = 0; call < calls; call++) shmem_barrier_all();
}

int main(int argc, char** argv) {
  const size_t most = most_of(argc, argv);
  start_pes(0);
  if (_num_pes() < 2) {
    fprintf(stderr, "posh: run this program with at least 2 PEs\n");
    return 1;
  }
  void* const blocks[3] = {shmalloc(most + page_bytes), malloc(most + page_bytes), malloc(most + page_bytes)};
  char *symmetric = from_page(blocks[0]), *first = from_page(blocks[1]), *second = from_page(blocks[2]);
  memset(symmetric, 1, most);
  shmem_barrier_all();
  if (_my_pe() == 0) {
    measure_word("p", by_p, symmetric);
    measure_word("g", by_g, symmetric);
    measure_sizes(by_put, by_get, symmetric, first, second, most);
  }
  shmem_barrier_all();
  const double barrier = time_of(by_barrier, barriers, symmetric, symmetric, 0);
  if (_my_pe() == 0) printf("barrier\t0\t%.5g\tns\n", barrier);
  fflush(stdout);
  shmem_barrier_all();
  free(blocks[1]);
  free(blocks[2]);
  shfree(blocks[0]);
  return 0;
}
