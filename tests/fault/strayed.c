/* Touches what is no longer, or never was, part of a block of the heap, in the way its argument says. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

enum { words = 100 };

static void stray(const char* way, long* block, int neighbour) {
  if (!strcmp(way, "behind")) shmem_long_p(block + 2 * words, 1, neighbour);
  if (!strcmp(way, "freed")) *(volatile long*)block = 1;
}

int main(int argc, char** argv) {
  shmem_init();
  const int neighbour = (shmem_my_pe() + 1) % shmem_n_pes();
  long* block = shmem_malloc(words / 2 * sizeof *block);
  shmem_malloc(1); /* so that the block has to move, and ends within a line */
  block = shmem_realloc(block, words * sizeof *block);
  memset(block, 0, words * sizeof *block);
  shmem_barrier_all();
  shmem_long_put(block + words / 2, block, words / 2, neighbour);
  shmem_long_p(block, 1, neighbour);
  if (argc > 1 && !strcmp(argv[1], "behind")) stray(argv[1], block, neighbour);
  shmem_free(block);
  if (argc > 1 && !strcmp(argv[1], "freed")) stray(argv[1], block, neighbour);
  if (shmem_my_pe() == 0) puts("done");
  shmem_finalize();
  return 0;
}
