/* Each PE gives its number to the next one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdio.h>

static long from = -1;

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), pes = shmem_n_pes();
  shmem_long_p(&from, me, (me + 1) % pes);
  shmem_barrier_all();
  int good = from == (me + pes - 1) % pes;
  if (good) printf("PE %d of %d is good\n", me, pes);
  shmem_finalize();
  return !good;
}
