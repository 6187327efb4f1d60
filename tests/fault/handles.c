/* Uses a team or a context that is no more, or none, in the way its argument says.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long word;

static shmem_team_t make_team_of(int size) {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, size, NULL, 0, &team);
  return team;
}
static shmem_team_t make_team(void) { return make_team_of(shmem_n_pes()); }

static void make_grid(shmem_team_t team) {
  shmem_team_t row, column;
  shmem_team_split_2d(team, 1, NULL, 0, &row, NULL, 0, &column);
}

static shmem_ctx_t make_context(shmem_team_t team) {
  shmem_ctx_t context = SHMEM_CTX_INVALID;
  shmem_team_create_ctx(team, 0, &context);
  return context;
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  if (!strcmp(way, "early_wait")) shmem_long_wait_until(&word, SHMEM_CMP_NE, 0);
  if (!strcmp(way, "early_wait_any")) shmem_long_wait_until_any(&word, 1, NULL, SHMEM_CMP_NE, 0);
  if (!strcmp(way, "early_split")) make_team_of(1);
  if (!strcmp(way, "early_split_2d")) make_grid(SHMEM_TEAM_WORLD);
  shmem_init();
  const shmem_team_t team = make_team();
  const shmem_ctx_t context = make_context(team), other = make_context(SHMEM_TEAM_WORLD);
  if (!strcmp(way, "team_twice")) shmem_team_destroy(team), shmem_team_destroy(team);
  if (!strcmp(way, "team_garbage")) printf("%d\n", shmem_team_my_pe(calloc(1, 4096)));
  if (!strcmp(way, "split_differs")) {
    shmem_team_t part;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_my_pe() + 1, NULL, 0, &part);
  }
  if (!strcmp(way, "split_2d_differs")) {
    shmem_team_t row, column;
    shmem_team_split_2d(team, shmem_my_pe() + 1, NULL, 0, &row, NULL, 0, &column);
  }
  if (!strcmp(way, "split_is_a_barrier")) {
    shmem_team_t part;
    if (shmem_my_pe() == 0) shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, -5, NULL, 0, &part);
  }
  if (!strcmp(way, "destroyed_by_one") && shmem_my_pe() == 0) shmem_team_destroy(team);
  if (!strcmp(way, "destroyed_by_one") && shmem_my_pe() == 1) shmem_team_sync(team);
  if (!strcmp(way, "destroyed_or_split")) {
    if (shmem_my_pe() == 0) shmem_team_destroy(team);
    if (shmem_my_pe() == 1) make_grid(team);
  }
  if (!strcmp(way, "broadcast_by_one")) {
    static long dest, source;
    if (shmem_my_pe() == 0) shmem_long_broadcast(team, &dest, &source, 1, 0);
    shmem_team_destroy(team);
  }
  if (!strcmp(way, "broadcasts_in_another_order")) {
    static long dest[2], source[2];
    for (size_t i = 1; i <= 2; i++)
      shmem_long_broadcast(team, dest, source, shmem_my_pe() == 0 ? i : 3 - i, 0);
    shmem_team_destroy(team);
  }
  if (!strcmp(way, "team_sync_garbage")) shmem_team_sync(memset(malloc(4096), 0xff, 4096));
  if (!strcmp(way, "context_garbage")) shmem_ctx_long_p(memset(malloc(4096), 0x5a, 4096), &word, 1, 0);
  if (!strcmp(way, "context_put")) shmem_ctx_destroy(other), shmem_ctx_long_p(other, &word, 1, 0);
  if (!strcmp(way, "context_get")) shmem_ctx_destroy(other), word = shmem_ctx_long_g(other, &word, 0);
  if (!strcmp(way, "context_quiet")) shmem_ctx_destroy(other), shmem_ctx_quiet(other);
  if (!strcmp(way, "context_of_team")) shmem_team_destroy(team), shmem_ctx_long_p(context, &word, 1, 0);
  if (!strcmp(way, "world")) shmem_team_destroy(SHMEM_TEAM_WORLD);
  if (!strcmp(way, "shared")) shmem_team_destroy(SHMEM_TEAM_SHARED);
  if (!strcmp(way, "default")) shmem_ctx_destroy(SHMEM_CTX_DEFAULT);
  if (!strcmp(way, "late_wait")) shmem_finalize(), shmem_long_wait_until(&word, SHMEM_CMP_NE, 0);
  if (!strcmp(way, "late_split")) shmem_finalize(), make_team_of(1);
  if (!strcmp(way, "late_split_2d")) shmem_finalize(), make_grid(SHMEM_TEAM_WORLD);
  if (!strcmp(way, "late_context")) shmem_finalize(), shmem_ctx_long_p(context, &word, 1, 0);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
