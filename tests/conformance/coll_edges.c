/* Collectives at the edges: nothing to move, null pointers, the shared team, and contexts beside them (9.10,
 * Annex C).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static long sync_words[SHMEM_SYNC_SIZE], sum, one = 1;

static void zero_elements_need_no_buffers(shmem_team_t team) {
  CHECK(shmem_long_broadcast(team, NULL, NULL, 0, 0) == 0, "broadcast of nothing");
  CHECK(shmem_long_collect(team, NULL, NULL, 0) == 0, "collect of nothing");
  CHECK(shmem_long_fcollect(team, NULL, NULL, 0) == 0, "fcollect of nothing");
  CHECK(shmem_long_alltoall(team, NULL, NULL, 0) == 0, "alltoall of nothing");
  CHECK(shmem_long_alltoalls(team, NULL, NULL, 1, 1, 0) == 0, "alltoalls of nothing");
  CHECK(shmem_long_sum_reduce(team, NULL, NULL, 0) == 0, "sum of nothing");
  CHECK(shmem_long_sum_inscan(team, NULL, NULL, 0) == 0, "inscan of nothing");
  CHECK(shmem_long_sum_exscan(team, NULL, NULL, 0) == 0, "exscan of nothing");
}

static void so_do_those_of_active_sets(void) {
  shmem_broadcast64(NULL, NULL, 0, 0, 0, 0, npes, sync_words);
  shmem_barrier_all();
  shmem_long_sum_to_all(NULL, NULL, 0, 0, 0, npes, NULL, sync_words);
  shmem_barrier_all();
}

/* Only one PE of a collect gives anything. */
static void a_single_contribution_reaches_all(void) {
  static long dest[2], source[2] = {7, 8};
  for (int giver = 0; giver < npes; ++giver) {
    dest[0] = dest[1] = 0;
    shmem_sync_all();
    CHECK(shmem_long_collect(SHMEM_TEAM_WORLD, dest, source, me == giver ? 2 : 0) == 0, "collect");
    CHECK(dest[0] == 7 && dest[1] == 8, "only PE %d gave: %ld %ld", giver, dest[0], dest[1]);
  }
}

/* All give but one, which passes no source: counts of a flag's line, of a share, and larger ones, which are read where they lie. */
static void who_gives_nothing_needs_no_source(void) {
  static const size_t counts[] = {1, 13, 14, 300, 10000, 50000};
  const size_t most = 50000;
  long *source = shmem_malloc(most * sizeof *source),
       *dest = shmem_malloc(most * (size_t)npes * sizeof *dest);
  for (size_t i = 0; i < most; ++i) source[i] = me + 1;
  for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
    for (int without = 0; without < npes; ++without) {
      const long* mine = me == without ? NULL : source;
      size_t place = 0, wrong = 0;
      CHECK(shmem_long_collect(SHMEM_TEAM_WORLD, dest, mine, mine ? counts[c] : 0) == 0, "collect");
      for (int pe = 0; pe < npes; ++pe)
        for (size_t i = 0; pe != without && i < counts[c]; ++i) wrong += dest[place++] != pe + 1;
      CHECK(wrong == 0, "%zu of %zu elements are wrong without PE %d", wrong, counts[c], without);
      shmem_sync_all();
    }
  shmem_free(dest);
  shmem_free(source);
}

static void the_shared_team_is_a_team_like_others(void) {
  const shmem_team_t shared = SHMEM_TEAM_SHARED;
  const int size = shmem_team_n_pes(shared), mine = shmem_team_my_pe(shared);
  shmem_team_t reversed;
  CHECK(shmem_long_sum_reduce(shared, &sum, &one, 1) == 0 && sum == size, "the sum on the shared team is %ld",
        sum);
  CHECK(shmem_team_split_strided(shared, size - 1, -1, size, NULL, 0, &reversed) == 0, "a split of it");
  CHECK(shmem_team_my_pe(reversed) == size - 1 - mine, "my number in the split");
  zero_elements_need_no_buffers(shared);
  zero_elements_need_no_buffers(reversed);
  shmem_team_sync(reversed);
  shmem_team_destroy(reversed);
}

/* A collective completes neither puts on other contexts nor disturbs them. */
static void contexts_live_beside_collectives(void) {
  static long word;
  shmem_ctx_t ctx;
  CHECK(shmem_team_create_ctx(SHMEM_TEAM_SHARED, 0, &ctx) == 0, "a context of the shared team");
  for (long round = 1; round < 100; ++round) {
    shmem_ctx_long_atomic_add(
        ctx, &word, 1, (shmem_team_my_pe(SHMEM_TEAM_SHARED) + 1) % shmem_team_n_pes(SHMEM_TEAM_SHARED));
    CHECK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &one, 1) == 0 && sum == npes, "sum in round %ld",
          round);
    shmem_team_sync(SHMEM_TEAM_WORLD);
  }
  shmem_ctx_destroy(ctx);
  shmem_barrier_all();
  CHECK(word == 99, "%ld of 99 additions arrived", word);
}

int main(void) {
  for (int i = 0; i < SHMEM_SYNC_SIZE; ++i) sync_words[i] = SHMEM_SYNC_VALUE;
  begin();
  zero_elements_need_no_buffers(SHMEM_TEAM_WORLD);
  so_do_those_of_active_sets();
  a_single_contribution_reaches_all();
  who_gives_nothing_needs_no_source();
  the_shared_team_is_a_team_like_others();
  contexts_live_beside_collectives();
  return end();
}
