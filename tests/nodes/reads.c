// Reads one block after the other for longer than a node may be silent, and nothing else.
// SPDX-License-Identifier: BSD-3-Clause
#include <shmem.h>
#include <time.h>

enum { bytes = 1 << 23, seconds = 4 };
static char block[bytes], copy[bytes];

int main(void) {
  shmem_init();
  const time_t end = time(NULL) + seconds;
  while (shmem_my_pe() == 0 && time(NULL) < end) shmem_getmem(copy, block, bytes, shmem_n_pes() - 1);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
