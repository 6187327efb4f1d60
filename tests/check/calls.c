/* PEs that make calls which differ, and other slips, in the way the first argument says. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long word, other_word;
static long* volatile nowhere;

static void* put_from_a_thread(void* unused) {
  shmem_long_p(&word, 1, 0);
  return unused;
}

static void crash(void) { *nowhere = 1; }

static void call(const char* way, int me) {
  const int lone = getenv("LONE_PE") ? atoi(getenv("LONE_PE")) : 0;
  shmem_team_t team;
  pthread_t thread;
  void* block = !strncmp(way, "re", 2) || !strcmp(way, "free") ? shmem_malloc(64) : NULL;
  void* other = block ? shmem_malloc(64) : NULL;
  if (!strcmp(way, "sizes")) shmem_malloc(me ? 80 : 40);
  if (!strcmp(way, "kinds")) me ? shmem_malloc(80) : shmem_calloc(10, 8);
  if (!strcmp(way, "alignments")) shmem_align(me ? 64 : 4096, 80);
  if (!strcmp(way, "realloc")) shmem_realloc(block, me ? 80 : 160);
  if (!strcmp(way, "free")) shmem_free(me ? block : other);
  if (!strcmp(way, "alone") && me) shmem_malloc(80);
  if (!strcmp(way, "barrier")) me ? shmem_malloc(80) : (shmem_barrier_all(), NULL);
  /* The first one meets the other PE in its shmem_finalize, the second keeps this PE from coming there itself. */
  if (!strcmp(way, "lone barriers") && !me) shmem_barrier_all(), shmem_barrier_all();
  if (!strcmp(way, "lone barrier") && me == lone) shmem_barrier_all();
  if (!strcmp(way, "late lone barrier") && me == lone) usleep(50000), shmem_barrier_all();
  if (!strcmp(way, "lone broadcast") && me == 0)
    shmem_broadcastmem(SHMEM_TEAM_WORLD, &word, &other_word, 8, 0);
  if (!strcmp(way, "splits")) shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, me ? 1 : 2, NULL, 0, &team);
  if (!strcmp(way, "grids")) shmem_team_split_2d(SHMEM_TEAM_WORLD, me + 1, NULL, 0, &team, NULL, 0, &team);
  if (!strcmp(way, "thread"))
    pthread_create(&thread, NULL, put_from_a_thread, NULL), pthread_join(thread, NULL);
  if (!strcmp(way, "crash")) crash();
  if (!strcmp(way, "outside")) shmem_long_p(&word, 1, 1);
  if (!strcmp(way, "right")) {
    for (size_t i = 1; i < 300; ++i)
      shmem_free(shmem_realloc(i % 2 ? shmem_malloc(i) : shmem_align(256, i), 2 * i));
    for (int i = 0; i < 20; ++i)
      shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team),
          shmem_team_destroy(team);
  }
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  shmem_init();
  call(argv[1], shmem_my_pe());
  shmem_finalize();
  return 0;
}
