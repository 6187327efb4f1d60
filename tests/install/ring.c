/* Each PE writes its number into a global and into the heap of the next one. Compiles as C and as C++.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdio.h>

static long global = -1;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes(), next = (me + 1) % pes, previous = (me + pes - 1) % pes;
  long* heap = (long*)shmem_malloc(sizeof *heap);
  shmem_long_p(&global, me, next);
  shmem_long_p(heap, me, next);
  shmem_barrier_all();
  const int good = pes == 2 && global == previous && *heap == previous;
  if (good) printf("PE %d of %d is good\n", me, pes);
  shmem_free(heap);
  shmem_finalize();
  return !good;
}
