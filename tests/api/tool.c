/* A profiling tool: defines six routines after including shmem.h, counts their calls and passes them on.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <pshmem.h>
#include <stdio.h>

static int puts_seen, gets_seen, adds_seen, tests_seen, fences_seen, numbers_seen;

void shmem_long_p(long* dest, long value, int pe) {
  puts_seen++;
  pshmem_long_p(dest, value, pe);
}

long shmem_ctx_long_g(shmem_ctx_t ctx, const long* source, int pe) {
  gets_seen++;
  return pshmem_ctx_long_g(ctx, source, pe);
}

void shmem_long_atomic_add(long* dest, long value, int pe) {
  adds_seen++;
  pshmem_long_atomic_add(dest, value, pe);
}

int shmem_long_test(long* ivar, int cmp, long cmp_value) {
  tests_seen++;
  return pshmem_long_test(ivar, cmp, cmp_value);
}

void shmem_fence(void) {
  fences_seen++;
  pshmem_fence();
}

int shmem_n_pes(void) {
  numbers_seen++;
  return pshmem_n_pes();
}

void shmem_finalize(void) {
  if (pshmem_my_pe() == 0) {
    printf("the tool saw %d puts, %d gets, %d adds, %d tests, %d fences, %d numbers\n", puts_seen, gets_seen,
           adds_seen, tests_seen, fences_seen, numbers_seen);
  }
  pshmem_finalize();
}
