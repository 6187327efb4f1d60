/* Every PE counts itself on PE 0; PE 0 says how many there are and whether all were counted. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdio.h>

static long counted;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  shmem_long_atomic_inc(&counted, 0);
  shmem_barrier_all();
  if (me == 0) printf("%d PEs, %ld counted\n", npes, counted);
  const int wrong = me == 0 && counted != npes;
  shmem_finalize();
  return wrong;
}
