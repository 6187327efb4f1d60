/* The last PE writes to one that does not exist, while the others wait for it.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>

static long word;

int main(void) {
  shmem_init();
  const int pes = shmem_n_pes();
  if (shmem_my_pe() == pes - 1) shmem_p(&word, 1L, pes + 90);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
