/* Every PE adds to a global of PE 0 a thousand times; PE 0 reads the sum.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdio.h>

static long sum;

int main(void) {
  shmem_init();
  for (int i = 0; i < 1000; i++) shmem_long_atomic_add(&sum, 1, 0);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("%d PEs counted %ld\n", shmem_n_pes(), sum);
  shmem_finalize();
  return 0;
}
