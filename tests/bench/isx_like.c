/* What ISx calls, through bench/papers/isx_shnode.h: each PE sends a block to all others, and a word to static memory.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>

enum { COUNT = 1000 };

static int token;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  int wrong = 0, mine[COUNT];
  int* received = shmem_malloc((size_t)n * COUNT * sizeof *received);
  int* other = shmem_malloc(sizeof *other); /* a second allocation is only that */
  for (int round = 1; round <= 2; round++) {
    for (int i = 0; i < COUNT; i++) mine[i] = round * 10000 + me * COUNT + i;
    for (int pe = 0; pe < n; pe++) shmem_int_put(received + me * COUNT, mine, COUNT, pe);
    const int next = round * n + (me + 1) % n;
    shmem_int_put(&token, &next, 1, (me + 1) % n);
    shmem_barrier_all();
    for (int i = 0; i < n * COUNT; i++) wrong += received[i] != round * 10000 + i;
    wrong += token != round * n + me;
    shmem_barrier_all();
  }
  shmem_free(other);
  shmem_free(received);
  shmem_finalize();
  if (wrong) printf("PE %d: %d words are wrong\n", me, wrong);
  return wrong != 0;
}
