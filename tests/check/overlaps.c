/* Passes memory twice to the routine that its first argument names: the source begins so many elements behind dest. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

enum { all = 64 };
static long memory[all];
static long sync_array[SHMEM_SYNC_SIZE];
static uint64_t flags[all];

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  for (int i = 0; i < SHMEM_SYNC_SIZE; ++i) sync_array[i] = SHMEM_SYNC_VALUE;
  shmem_init();
  const char* const way = argv[1];
  const int pes = shmem_n_pes(), me = shmem_my_pe();
  long* const dest = memory;
  long* const source = memory + atoi(argv[2]);
  const shmem_team_t world = SHMEM_TEAM_WORLD;
  if (!strcmp(way, "broadcast")) shmem_broadcast(world, dest, source, 4, 1);
  if (!strcmp(way, "old_broadcast")) shmem_broadcast64(dest, source, 4, 0, 0, 0, pes, sync_array);
  if (!strcmp(way, "collect")) shmem_collect(world, dest, source, 4);
  if (!strcmp(way, "fcollect")) shmem_fcollect(world, dest, source, 4);
  if (!strcmp(way, "alltoall")) shmem_alltoall(world, dest, source, 4);
  if (!strcmp(way, "alltoalls")) shmem_alltoalls(world, dest, source, 2, 2, 4);
  if (!strcmp(way, "reduce")) shmem_max_reduce(world, dest, source, 4);
  if (!strcmp(way, "scan")) shmem_sum_inscan(world, dest, source, 4);
  if (!strcmp(way, "put")) shmem_put(dest, source, 4, me);
  if (!strcmp(way, "get")) shmem_get(dest, source, 4, me);
  if (!strcmp(way, "iput")) shmem_iput(dest, source, 2, 2, 4, me);
  if (!strcmp(way, "iget")) shmem_iget(dest, source, 2, 2, 4, me);
  if (!strcmp(way, "signal"))
    shmem_uint64_put_signal(flags, flags + all / 2, 4, flags + atoi(argv[2]), 1, SHMEM_SIGNAL_SET, me);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
