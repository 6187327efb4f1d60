/* Calls a routine of each family that tools are shown.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stddef.h>

static long word, words[4], lock, sum[8], given[2];
static uint64_t signal_word;
static long sync_words[SHMEM_BCAST_SYNC_SIZE];

static void transfer(int next) {
  long value = 1, old = 0;
  size_t index = 0;
  shmem_long_p(&word, value, next);
  shmem_long_put(words, given, 2, next);
  value = shmem_long_g(&word, next);
  shmem_long_put_signal(words, given, 2, &signal_word, 1, SHMEM_SIGNAL_ADD, next);
  old = shmem_long_atomic_fetch_add(&words[3], 1, next);
  shmem_fence();
  shmem_quiet();
  shmem_pe_quiet(&next, 1);
  shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 1);
  (void)shmem_signal_fetch(&signal_word);
  (void)shmem_long_test(&word, SHMEM_CMP_EQ, 1);
  (void)shmem_long_test_some(words, 4, &index, NULL, SHMEM_CMP_EQ, 77);
  (void)old, (void)value;
}

static void locks(void) {
  shmem_set_lock(&lock);
  shmem_clear_lock(&lock);
  if (shmem_test_lock(&lock) == 0) shmem_clear_lock(&lock);
}

static void collectives(void) {
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  shmem_barrier_all();
  shmem_sync_all();
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, sum, given, 1);
  shmem_long_sum_inscan(SHMEM_TEAM_WORLD, sum, given, 1);
  shmem_long_collect(SHMEM_TEAM_WORLD, sum, given, 1);
  shmem_long_fcollect(SHMEM_TEAM_WORLD, sum, given, 1);
  shmem_long_alltoall(SHMEM_TEAM_WORLD, sum, given, 1);
  shmem_long_broadcast(SHMEM_TEAM_WORLD, sum, given, 1, 0);
  shmem_broadcast64(sum, given, 1, 0, 0, 0, pes, sync_words);
  shmem_team_t half;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &half);
  shmem_team_sync(half);
  shmem_ctx_t ctx;
  if (shmem_team_create_ctx(half, 0, &ctx) == 0) {
    shmem_ctx_long_p(ctx, &words[0], me, me);
    shmem_ctx_destroy(ctx);
  }
  shmem_team_destroy(half);
}

int main(void) {
  shmem_init();
  shmem_finalize();
  shmem_init();
  transfer((shmem_my_pe() + 1) % shmem_n_pes());
  locks();
  collectives();
  shmem_free(shmem_realloc(shmem_malloc(32), 64));
  shmem_barrier_all();
  shmem_global_exit(0);
}
