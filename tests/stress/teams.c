/* A storm of teams: random splits of random living teams, used, given contexts, and destroyed in random
 * order.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "random.h"

enum { ALIVE = 24, MOST_PES = 1024 };

/* Every PE keeps the membership of every team in its head, member or not. */
typedef struct {
  shmem_team_t handle;
  int size, members[MOST_PES];
} Known;

static Known known[ALIVE];

static int number_of(const Known* team, int pe) {
  for (int i = 0; i < team->size; ++i)
    if (team->members[i] == pe) return i;
  return -1;
}

static void expect_agreement(const Known* team) {
  static long sum, mine;
  const int number = number_of(team, me);
  CHECK((team->handle != SHMEM_TEAM_INVALID) == (number >= 0), "I am number %d", number);
  if (number < 0) return;
  CHECK(shmem_team_my_pe(team->handle) == number, "my number is %d, not %d", shmem_team_my_pe(team->handle),
        number);
  long wanted = 0;
  for (int i = 0; i < team->size; ++i) wanted += team->members[i];
  mine = me;
  CHECK(shmem_long_sum_reduce(team->handle, &sum, &mine, 1) == 0 && sum == wanted, "the sum is %ld, not %ld",
        sum, wanted);
  shmem_team_sync(team->handle);
}

static void split(const Known* parent, Known* child) {
  const int start = (int)pick(0, parent->size - 1), stride = (int)pick(1, 3) * (pick(0, 1) ? 1 : -1);
  const int room = stride > 0 ? parent->size - 1 - start : start,
            most = room / (stride > 0 ? stride : -stride) + 1;
  const int mine = number_of(parent, me);
  child->size = (int)pick(1, most);
  child->handle = SHMEM_TEAM_INVALID;
  for (int i = 0; i < child->size; ++i) child->members[i] = parent->members[start + i * stride];
  if (mine >= 0)
    CHECK(shmem_team_split_strided(parent->handle, start, stride, child->size, NULL, 0, &child->handle) == 0,
          "split");
}

static void use_a_context(const Known* team) {
  static long word;
  shmem_ctx_t ctx;
  const int number = number_of(team, me), next = (number + 1) % team->size;
  if (number < 0) return;
  CHECK(shmem_team_create_ctx(team->handle, 0, &ctx) == 0, "a context");
  shmem_ctx_long_atomic_inc(ctx, &word, next);
  shmem_ctx_destroy(ctx);
}

static void one_round(void) {
  const int slot = (int)pick(1, ALIVE - 1), parent = (int)pick(0, ALIVE - 1);
  if (known[slot].size > 0) {
    expect_agreement(&known[slot]);
    shmem_team_destroy(known[slot].handle);
    known[slot].size = 0;
  } else if (known[parent].size > 0) {
    split(&known[parent], &known[slot]);
    expect_agreement(&known[slot]);
    use_a_context(&known[slot]);
  }
}

int main(void) {
  begin();
  const uint64_t seed = share_seed();
  known[0].handle = SHMEM_TEAM_WORLD;
  known[0].size = npes;
  for (int pe = 0; pe < npes; ++pe) known[0].members[pe] = pe;
  const long count = test_rounds(npes > 8 ? 500 : 4000);
  for (long round = 0; round < count && check_failures == 0; ++round) one_round();
  shmem_barrier_all();
  return end_with_seed(seed);
}
