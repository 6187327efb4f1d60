/* Fills some MiB of a neighbour's heap and checks what came to its own. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  const size_t size = (size_t)atoi(argc > 1 ? argv[1] : "1") << 20;
  shmem_init();
  const int me = shmem_my_pe(), npes = shmem_n_pes();
  char* mine = malloc(size);
  char* heap = shmem_malloc(size);
  if (!mine || !heap) shmem_global_exit(3);
  memset(mine, me + 1, size);
  shmem_putmem(heap, mine, size, (me + 1) % npes);
  shmem_barrier_all();
  const char wanted = (char)((me + npes - 1) % npes + 1);
  for (size_t i = 0; i < size; i++)
    if (heap[i] != wanted) shmem_global_exit(4);
  free(mine);
  shmem_finalize();
  return 0;
}
