/* Fills some MiB of a neighbour's heap and checks what came to its own. With "all": takes memory until none
 * is left; with "waits": the same, and others wait long for PE 0; with "teams": makes teams until there is none for them;
 * with "sets": then takes an active set, too. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <locale.h>
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void take_heap(void) {
  const char* zeros;
  while ((zeros = shmem_calloc(64, 1 << 10)))
    for (size_t i = 0; i < 64 << 10; i++)
      if (zeros[i] != 0) shmem_global_exit(6);
}

/* Until none can be made, on all PEs alike, and nobody crashes. */
static void make_teams(void) {
  shmem_team_t team;
  int teams = 0;
  while (teams < 1000 && shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team) == 0)
    teams++;
  if (teams == 1000 || team != SHMEM_TEAM_INVALID) shmem_global_exit(5);
  shmem_sync_all();
}

static long p_sync[SHMEM_BARRIER_SYNC_SIZE];

int main(int argc, char** argv) {
  setlocale(LC_ALL, "");
  const int waits = argc > 1 && strcmp(argv[1], "waits") == 0;
  const int all = waits || (argc > 1 && strcmp(argv[1], "all") == 0);
  const int sets = argc > 1 && strcmp(argv[1], "sets") == 0;
  if (all || sets || (argc > 1 && strcmp(argv[1], "teams") == 0)) {
    shmem_init();
    if (all) take_heap();
    if (waits && shmem_my_pe() == 0) sleep(2);
    if (sets && shmem_my_pe() < 2) shmem_barrier(0, 0, 2, p_sync);
    if (sets && shmem_my_pe() > 0) shmem_barrier(1, 0, 2, p_sync);
    make_teams();
    if (sets) shmem_barrier(0, 0, shmem_n_pes(), p_sync);
    shmem_finalize();
    return 0;
  }
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
