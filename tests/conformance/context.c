/* Contexts: options, many at once, on teams, destruction, the invalid one, and the team they belong to (9.5).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static long target, slots[64];

static shmem_team_t every_second_pe(void) {
  shmem_team_t team;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (npes + 1) / 2, NULL, 0, &team) == 0, "a split");
  return team;
}

static void every_option_makes_a_working_context(void) {
  const long options[] = {0,
                          SHMEM_CTX_SERIALIZED,
                          SHMEM_CTX_PRIVATE,
                          SHMEM_CTX_NOSTORE,
                          SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE,
                          SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE};
  for (int i = 0; i < 6; ++i) {
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    CHECK(shmem_ctx_create(options[i], &ctx) == 0 && ctx != SHMEM_CTX_INVALID, "options %ld", options[i]);
    shmem_ctx_long_p(ctx, &target, me * 10 + i, right());
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    CHECK(target == left() * 10 + i, "a put on a context with options %ld", options[i]);
    shmem_barrier_all();
    shmem_ctx_destroy(ctx);
  }
}

static void many_contexts_live_side_by_side(void) {
  enum { MANY = 200 };
  static shmem_ctx_t ctx[MANY];
  for (int i = 0; i < MANY; ++i) {
    CHECK(shmem_ctx_create(0, &ctx[i]) == 0, "context %d", i);
    for (int k = 0; k < i; k += 37) CHECK(ctx[i] != ctx[k], "contexts %d and %d differ", i, k);
  }
  target = 0;
  shmem_barrier_all();
  for (int i = 0; i < MANY; ++i) shmem_ctx_long_atomic_inc(ctx[i], &target, right());
  for (int i = 0; i < MANY; ++i) shmem_ctx_destroy(ctx[i]);
  shmem_barrier_all();
  CHECK(target == MANY, "destroying a context completes its operations: %ld", target);
  shmem_barrier_all();
}

static void the_invalid_context_is_tolerated_where_the_standard_says_so(void) {
  shmem_team_t team = SHMEM_TEAM_WORLD;
  shmem_ctx_destroy(SHMEM_CTX_INVALID);
  CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0, "get_team of the invalid context fails");
  CHECK(team == SHMEM_TEAM_INVALID, "and the team is the invalid one");
}

static void a_context_knows_its_team(void) {
  shmem_ctx_t ctx;
  shmem_team_t team = SHMEM_TEAM_INVALID, seconds = every_second_pe();
  CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team) == 0 && team == SHMEM_TEAM_WORLD, "the default context");
  CHECK(shmem_ctx_create(0, &ctx) == 0 && shmem_ctx_get_team(ctx, &team) == 0, "a context of the world");
  CHECK(team == SHMEM_TEAM_WORLD, "its team is the world");
  shmem_ctx_destroy(ctx);
  if (seconds != SHMEM_TEAM_INVALID) {
    CHECK(shmem_team_create_ctx(seconds, 0, &ctx) == 0, "a context of a team");
    CHECK(shmem_ctx_get_team(ctx, &team) == 0 && team == seconds, "its team");
    shmem_ctx_destroy(ctx);
  }
  shmem_team_destroy(seconds);
}

/* PE numbers on a team's context are the team's: every operation family once. */
static void numbers_on_a_team_context_are_the_teams(void) {
  shmem_team_t team = every_second_pe();
  shmem_ctx_t ctx;
  static uint64_t flag;
  shmem_barrier_all();
  if (team != SHMEM_TEAM_INVALID && shmem_team_create_ctx(team, 0, &ctx) == 0) {
    const int mine = shmem_team_my_pe(team), size = shmem_team_n_pes(team), next = (mine + 1) % size;
    const int previous = (mine + size - 1) % size;
    shmem_ctx_long_p(ctx, slots, mine + 1, next);
    shmem_ctx_fence(ctx);
    shmem_ctx_uint64_atomic_add(ctx, &flag, 1, next);
    shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, 1);
    CHECK(slots[0] == previous + 1, "p reached team PE %d from %ld", mine, slots[0] - 1);
    shmem_ctx_quiet(ctx);
    CHECK(shmem_ctx_long_g(ctx, slots, next) == mine + 1, "g reads from team PE %d", next);
    shmem_ctx_pe_quiet(ctx, &next, 1);
    shmem_ctx_destroy(ctx);
  }
  shmem_team_destroy(team);
  shmem_barrier_all();
}

static void a_context_on_an_invalid_team_fails(void) {
  shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
  CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0, "creation on the invalid team fails");
  CHECK(ctx == SHMEM_CTX_INVALID, "and gives the invalid context");
}

/* A team made with the default configuration (num_contexts 0) can have contexts; destroying the team ends
 * shareable ones. */
static void a_team_takes_its_shareable_contexts_along(void) {
  for (int i = 0; i < 50; ++i) {
    shmem_team_t team = every_second_pe();
    shmem_ctx_t ctx;
    if (team != SHMEM_TEAM_INVALID)
      CHECK(shmem_team_create_ctx(team, 0, &ctx) == 0, "context in round %d", i);
    shmem_team_destroy(team);
  }
}

static void sessions_change_nothing(void) {
  shmem_ctx_session_config_t config = {100};
  shmem_ctx_t ctx;
  CHECK(shmem_ctx_create(0, &ctx) == 0, "a context");
  shmem_ctx_session_stop(ctx);
  shmem_ctx_session_start(ctx, 0, NULL, 0);
  shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
  for (int i = 0; i < 64; ++i) shmem_ctx_long_p(ctx, slots + i, me + i, right());
  shmem_ctx_session_stop(ctx);
  shmem_ctx_session_stop(ctx);
  shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, &config, 0);
  shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
  shmem_ctx_session_start(SHMEM_CTX_INVALID, SHMEM_CTX_SESSION_BATCH, NULL, 0);
  shmem_ctx_session_stop(SHMEM_CTX_INVALID);
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  for (int i = 0; i < 64; ++i) CHECK(slots[i] == left() + i, "slot %d after a session", i);
  shmem_ctx_destroy(ctx);
}

/* Only its creator touches a private context; shareable ones left alive are the library's to end. */
static void leaked_shareable_contexts_do_no_harm(void) {
  shmem_ctx_t ctx;
  for (int i = 0; i < 5; ++i) CHECK(shmem_ctx_create(0, &ctx) == 0, "a context nobody destroys");
}

int main(void) {
  begin();
  every_option_makes_a_working_context();
  many_contexts_live_side_by_side();
  the_invalid_context_is_tolerated_where_the_standard_says_so();
  a_context_knows_its_team();
  numbers_on_a_team_context_are_the_teams();
  a_context_on_an_invalid_team_fails();
  a_team_takes_its_shareable_contexts_along();
  sessions_change_nothing();
  leaked_shareable_contexts_do_no_harm();
  return end();
}
