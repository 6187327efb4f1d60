/* Teams and contexts: rounds that split, create and destroy, and what others ask about them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "soak.h"

KnownTeam teams[TEAMS];
KnownContext contexts[CONTEXTS];

int number_in(const KnownTeam* team, int pe) {
  for (int i = 0; i < team->size; ++i)
    if (team->members[i] == pe) return i;
  return -1;
}

void open_groups(void) {
  teams[0].handle = SHMEM_TEAM_WORLD;
  teams[0].size = npes;
  for (int pe = 0; pe < npes; ++pe) teams[0].members[pe] = pe;
}

int pick_team(void) {
  int team;
  do team = (int)pick(0, TEAMS - 1);
  while (teams[team].size == 0);
  return team;
}

/* Of a free slot, or -1. */
static int free_team(void) {
  for (int i = 0; i < TEAMS; ++i)
    if (teams[i].size == 0) return i;
  return -1;
}

static void expect_membership(const KnownTeam* team) {
  const int number = number_in(team, me);
  CHECK((team->handle != SHMEM_TEAM_INVALID) == (number >= 0), "a handle, and I am number %d", number);
  if (number < 0) return;
  CHECK(shmem_team_my_pe(team->handle) == number && shmem_team_n_pes(team->handle) == team->size,
        "I am %d of %d, not %d of %d", shmem_team_my_pe(team->handle), shmem_team_n_pes(team->handle), number,
        team->size);
  for (int i = 0; i < team->size; ++i)
    CHECK(shmem_team_translate_pe(team->handle, i, SHMEM_TEAM_WORLD) == team->members[i], "member %d", i);
}

static void split(const KnownTeam* parent, KnownTeam* child) {
  const int start = (int)pick(0, parent->size - 1), stride = (int)pick(1, 3) * (one_in(2) ? 1 : -1);
  const int room = stride > 0 ? parent->size - 1 - start : start;
  child->size = (int)pick(1, room / (stride > 0 ? stride : -stride) + 1);
  child->handle = SHMEM_TEAM_INVALID;
  for (int i = 0; i < child->size; ++i) child->members[i] = parent->members[start + i * stride];
  if (parent->handle == SHMEM_TEAM_INVALID) return;
  CHECK(shmem_team_split_strided(parent->handle, start, stride, child->size, NULL, 0, &child->handle) == 0,
        "a split");
}

/* Of the many teams that this makes I keep those that PE 0 of the parent is in: all know who else is. */
static void split_in_two_dimensions(const KnownTeam* parent, KnownTeam* row, KnownTeam* column) {
  const int width = (int)pick(1, parent->size);
  shmem_team_t mine[2] = {SHMEM_TEAM_INVALID, SHMEM_TEAM_INVALID};
  row->size = column->size = 0;
  for (int i = 0; i < parent->size; ++i) {
    if (i / width == 0) row->members[row->size++] = parent->members[i];
    if (i % width == 0) column->members[column->size++] = parent->members[i];
  }
  if (parent->handle != SHMEM_TEAM_INVALID)
    CHECK(shmem_team_split_2d(parent->handle, width, NULL, 0, &mine[0], NULL, 0, &mine[1]) == 0,
          "two dimensions");
  KnownTeam* kept[2] = {row, column};
  for (int axis = 0; axis < 2; ++axis) {
    kept[axis]->handle = number_in(kept[axis], me) >= 0 ? mine[axis] : SHMEM_TEAM_INVALID;
    if (kept[axis]->handle == SHMEM_TEAM_INVALID && mine[axis] != SHMEM_TEAM_INVALID)
      shmem_team_destroy(mine[axis]);
  }
}

static void destroy(int index) {
  for (int i = 0; i < CONTEXTS; ++i) {
    if (!contexts[i].alive || contexts[i].team != index) continue;
    if (one_in(2) && number_in(&teams[index], me) >= 0) shmem_ctx_destroy(contexts[i].handle);
    contexts[i].alive = 0; /* what is left goes with the team */
  }
  if (teams[index].handle != SHMEM_TEAM_INVALID) shmem_team_destroy(teams[index].handle);
  teams[index].size = 0;
}

static void make_teams(void) {
  const int parent = pick_team(), child = free_team();
  if (child < 0) return destroy((int)pick(1, TEAMS - 1));
  teams[child].size = 1; /* no longer free */
  const int other = free_team();
  if (other < 0 || one_in(2)) {
    split(&teams[parent], &teams[child]);
  } else {
    split_in_two_dimensions(&teams[parent], &teams[child], &teams[other]);
    expect_membership(&teams[other]);
  }
  expect_membership(&teams[child]);
}

static void change_context(void) {
  static const long options[] = {0, SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE,
                                 SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE};
  KnownContext* context = &contexts[pick(0, CONTEXTS - 1)];
  const int team = pick_team(), member = number_in(&teams[context->alive ? context->team : team], me) >= 0;
  const long wanted = options[pick(0, 2)];
  if (context->alive) {
    if (member) shmem_ctx_destroy(context->handle);
    context->alive = 0;
    return;
  }
  context->team = team;
  context->alive = 1;
  if (member)
    CHECK(shmem_team_create_ctx(teams[team].handle, wanted, &context->handle) == 0, "a context of team %d",
          team);
}

void group_round(void) {
  const int steps = (int)pick(1, 4);
  for (int i = 0; i < steps; ++i) {
    const int team = (int)pick(1, TEAMS - 1);
    if (one_in(2))
      change_context();
    else if (teams[team].size > 0 && one_in(2))
      destroy(team);
    else
      make_teams();
  }
  shmem_sync_all();
}

void quiet_all_contexts(void) {
  for (int i = 0; i < CONTEXTS; ++i)
    if (contexts[i].alive && number_in(&teams[contexts[i].team], me) >= 0)
      shmem_ctx_quiet(contexts[i].handle);
}

shmem_ctx_t pick_context(int from, int to, int* called) {
  const KnownContext* context = &contexts[pick(0, CONTEXTS - 1)];
  *called = to;
  if (!context->alive) return SHMEM_CTX_DEFAULT;
  const KnownTeam* team = &teams[context->team];
  if (number_in(team, from) < 0 || number_in(team, to) < 0) return SHMEM_CTX_DEFAULT;
  *called = number_in(team, to);
  return from == me ? context->handle : SHMEM_CTX_DEFAULT;
}

void close_groups(void) {
  for (int i = TEAMS - 1; i > 0; --i)
    if (teams[i].size > 0) destroy(i);
  for (int i = 0; i < CONTEXTS; ++i)
    if (contexts[i].alive) shmem_ctx_destroy(contexts[i].handle);
}
