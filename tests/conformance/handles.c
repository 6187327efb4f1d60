/* The predefined handles are constants: static objects can be initialised with them, and they stay the same from before
 * init to after finalize (7).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static shmem_team_t world = SHMEM_TEAM_WORLD, no_team = SHMEM_TEAM_INVALID;
static const shmem_team_t teams[] = {SHMEM_TEAM_SHARED, SHMEM_TEAM_WORLD};
static const struct {
  shmem_ctx_t ctx;
  shmem_team_t team;
} both = {SHMEM_CTX_DEFAULT, SHMEM_TEAM_WORLD}, neither = {SHMEM_CTX_INVALID, SHMEM_TEAM_INVALID};
static long word;

static void they_are_four_things(void) {
  CHECK(world == SHMEM_TEAM_WORLD && teams[0] == SHMEM_TEAM_SHARED, "what was stored compares equal");
  CHECK(world != teams[0], "the world is not the shared team");
  CHECK(world != no_team && teams[0] != no_team && both.ctx != neither.ctx, "none is invalid");
}

static void they_can_be_used(void) {
  CHECK(shmem_team_n_pes(world) == npes && shmem_team_my_pe(both.team) == me, "the world");
  CHECK(shmem_team_my_pe(teams[0]) == shmem_team_my_pe(SHMEM_TEAM_SHARED), "the shared team");
  shmem_ctx_long_p(both.ctx, &word, me + 1, right());
  shmem_ctx_quiet(both.ctx);
  CHECK(shmem_team_sync(world) == 0 && word == left() + 1, "the default context");
  shmem_ctx_fence(neither.ctx);
  CHECK(shmem_team_sync(teams[0]) == 0, "a sync of the shared team");
  shmem_barrier_all();
}

static void the_routines_answer_with_them(void) {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  shmem_ctx_t ctx = SHMEM_CTX_INVALID;
  CHECK(shmem_ctx_get_team(both.ctx, &team) == 0 && team == world, "of the default context");
  CHECK(shmem_team_create_ctx(teams[0], 0, &ctx) == 0, "a context");
  CHECK(shmem_ctx_get_team(ctx, &team) == 0 && team == teams[0], "of a context on the shared team");
  shmem_ctx_destroy(ctx);
}

int main(void) {
  they_are_four_things();
  for (int round = 0; round < 3; ++round) {
    begin();
    they_are_four_things();
    they_can_be_used();
    the_routines_answer_with_them();
    shmem_finalize();
  }
  return verdict();
}
