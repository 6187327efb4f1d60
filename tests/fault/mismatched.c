/* PE 0 makes another collective call than the others, in the way its argument says, after some that are
 * alike. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmemx.h>
#include <stdio.h>
#include <string.h>

enum { n = 4 };
static long dest[16 * n], source[n];

static void agree(int round) {
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, n);
  shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, n, round % shmem_n_pes());
  shmem_barrier_all();
  shmem_long_collect(SHMEM_TEAM_WORLD, dest, source, (size_t)shmem_my_pe());
  shmem_sync_all();
  shmem_free(shmem_realloc(shmem_malloc(100), 1000));
}

static void disagree(const char* about, int odd) {
  if (!strcmp(about, "root")) shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, n, odd);
  if (!strcmp(about, "count")) shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, odd ? n : 1);
  if (!strcmp(about, "size")) shmem_malloc(odd ? 100 : 200);
  if (!strcmp(about, "hints")) shmem_malloc_with_hints(100, odd ? SHMEMX_MALLOC_INTERLEAVE : 0);
  if (!strcmp(about, "routine")) odd ? shmem_barrier_all() : shmem_sync_all();
  if (!strcmp(about, "operation"))
    odd ? shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, n)
        : shmem_long_max_reduce(SHMEM_TEAM_WORLD, dest, source, n);
}

int main(int argc, char** argv) {
  shmem_init();
  for (int round = 0; round < 5; ++round) agree(round);
  if (argc > 1) disagree(argv[1], shmem_my_pe() == 0);
  agree(0);
  if (shmem_my_pe() == 0) puts("agreed");
  shmem_finalize();
  return 0;
}
