/* Rounds of collectives on random teams, several in a row with nothing between them: a block that one has written is a
 * source of the next, and none is written twice, as the standard demands of who does not synchronise.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "soak.h"

enum { CHAIN = 5 };

static int used[BLOCKS]; /* in this round: read or written */

typedef struct {
  const KnownTeam* team;
  Block *dest, *source;
  size_t to, from; /* the first words */
  size_t n;        /* words of each member, or so */
} Call;

static uint64_t* dest_model(const Call* c, int member) {
  return c->dest->model[c->team->members[member]] + c->to;
}
static const uint64_t* source_model(const Call* c, int member) {
  return c->source->model[c->team->members[member]] + c->from;
}
static int takes_part(const Call* c) { return number_in(c->team, me) >= 0; }
static uint64_t* dest(const Call* c) { return c->dest->words + c->to; }
static const uint64_t* source(const Call* c) { return c->source->words + c->from; }

/* Room for so many times n words in each; false when there is none for a single one. */
static int place(Call* c, size_t dest_times, size_t source_times) {
  const size_t most_dest = c->dest->count / dest_times, most_source = c->source->count / source_times;
  const size_t most = most_dest < most_source ? most_dest : most_source;
  if (most == 0) return 0;
  c->n = (size_t)(one_in(4) ? pick(1, (long)most) : pick(1, most < 16 ? (long)most : 16));
  c->to = (size_t)pick(0, (long)(c->dest->count - c->n * dest_times));
  c->from = (size_t)pick(0, (long)(c->source->count - c->n * source_times));
  return 1;
}

static void broadcast(Call* c) {
  const int root = (int)pick(0, c->team->size - 1);
  if (!place(c, 1, 1)) return;
  if (takes_part(c))
    CHECK(shmem_uint64_broadcast(c->team->handle, dest(c), source(c), c->n, root) == 0, "broadcast");
  for (int member = 0; member < c->team->size; ++member)
    memcpy(dest_model(c, member), source_model(c, root), c->n * sizeof(uint64_t));
}

static uint64_t combine(int op, uint64_t a, uint64_t b) {
  switch (op) {
    case 0:
      return a + b;
    case 1:
      return a * b;
    case 2:
      return a ^ b;
    case 3:
      return a < b ? a : b;
    case 4:
      return a > b ? a : b;
    case 5:
      return a & b;
    default:
      return a | b;
  }
}

static int run_reduce(int op, shmem_team_t team, uint64_t* to, const uint64_t* from, size_t n) {
  switch (op) {
    case 0:
      return shmem_uint64_sum_reduce(team, to, from, n);
    case 1:
      return shmem_uint64_prod_reduce(team, to, from, n);
    case 2:
      return shmem_uint64_xor_reduce(team, to, from, n);
    case 3:
      return shmem_uint64_min_reduce(team, to, from, n);
    case 4:
      return shmem_uint64_max_reduce(team, to, from, n);
    case 5:
      return shmem_uint64_and_reduce(team, to, from, n);
    default:
      return shmem_uint64_or_reduce(team, to, from, n);
  }
}

static void reduce(Call* c) {
  const int op = (int)pick(0, 6);
  if (!place(c, 1, 1)) return;
  if (takes_part(c)) CHECK(run_reduce(op, c->team->handle, dest(c), source(c), c->n) == 0, "a reduction");
  for (size_t i = 0; i < c->n; ++i) {
    uint64_t result = source_model(c, 0)[i];
    for (int member = 1; member < c->team->size; ++member)
      result = combine(op, result, source_model(c, member)[i]);
    for (int member = 0; member < c->team->size; ++member) dest_model(c, member)[i] = result;
  }
}

static void scan(Call* c) {
  const int inclusive = one_in(2);
  if (!place(c, 1, 1)) return;
  if (takes_part(c) && inclusive)
    CHECK(shmem_uint64_sum_inscan(c->team->handle, dest(c), source(c), c->n) == 0, "an inscan");
  else if (takes_part(c))
    CHECK(shmem_uint64_sum_exscan(c->team->handle, dest(c), source(c), c->n) == 0, "an exscan");
  for (size_t i = 0; i < c->n; ++i) {
    uint64_t sum = 0;
    for (int member = 0; member < c->team->size; ++member) {
      const uint64_t mine = source_model(c, member)[i];
      dest_model(c, member)[i] = inclusive ? sum + mine : sum;
      sum += mine;
    }
  }
}

static void fcollect(Call* c) {
  const size_t size = (size_t)c->team->size;
  if (!place(c, size, 1)) return;
  if (takes_part(c))
    CHECK(shmem_uint64_fcollect(c->team->handle, dest(c), source(c), c->n) == 0, "an fcollect");
  for (int to = 0; to < c->team->size; ++to)
    for (size_t from = 0; from < size; ++from)
      memcpy(dest_model(c, to) + from * c->n, source_model(c, (int)from), c->n * sizeof(uint64_t));
}

/* Each member gives another count, perhaps none. */
static void collect(Call* c) {
  size_t counts[MOST_PES], before = 0;
  if (!place(c, (size_t)c->team->size, 1)) return;
  for (int member = 0; member < c->team->size; ++member) counts[member] = (size_t)pick(0, (long)c->n);
  if (takes_part(c))
    CHECK(shmem_uint64_collect(c->team->handle, dest(c), source(c), counts[number_in(c->team, me)]) == 0,
          "a collect");
  for (int from = 0; from < c->team->size; before += counts[from++])
    for (int to = 0; to < c->team->size; ++to)
      memcpy(dest_model(c, to) + before, source_model(c, from), counts[from] * sizeof(uint64_t));
}

static void alltoall(Call* c) {
  const size_t size = (size_t)c->team->size;
  if (!place(c, size, size)) return;
  if (takes_part(c))
    CHECK(shmem_uint64_alltoall(c->team->handle, dest(c), source(c), c->n) == 0, "an alltoall");
  for (size_t to = 0; to < size; ++to)
    for (size_t from = 0; from < size; ++from)
      memcpy(dest_model(c, (int)to) + from * c->n, source_model(c, (int)from) + to * c->n,
             c->n * sizeof(uint64_t));
}

static void strided_alltoall(Call* c) {
  const size_t size = (size_t)c->team->size, dst = (size_t)pick(1, 3), sst = (size_t)pick(1, 3);
  if (!place(c, size * dst, size * sst)) return;
  if (takes_part(c))
    CHECK(shmem_uint64_alltoalls(c->team->handle, dest(c), source(c), (ptrdiff_t)dst, (ptrdiff_t)sst, c->n) ==
              0,
          "a strided alltoall");
  for (size_t to = 0; to < size; ++to)
    for (size_t from = 0; from < size; ++from)
      for (size_t i = 0; i < c->n; ++i)
        dest_model(c, (int)to)[(from * c->n + i) * dst] = source_model(c, (int)from)[(to * c->n + i) * sst];
}

/* Without data; by the active set where the team is one. */
static void meet(Call* c) {
  static long psync[SHMEM_BARRIER_SYNC_SIZE];
  const KnownTeam* team = c->team;
  const int stride = team->size > 1 ? team->members[1] - team->members[0] : 1;
  int is_active_set = stride == 1 || stride == 2 || stride == 4;
  for (int i = 1; i < team->size; ++i) is_active_set &= team->members[i] - team->members[i - 1] == stride;
  const int by_set = one_in(2);
  if (!takes_part(c)) return;
  if (is_active_set && by_set)
    shmem_barrier(team->members[0], stride >> 1, team->size, psync);
  else
    CHECK(shmem_team_sync(team->handle) == 0, "a sync");
}

static int pick_unused(void) {
  for (int tries = 0; tries < 100; ++tries) {
    const int block = pick_block();
    if (!used[block]) return block;
  }
  return -1;
}

void collective_round(void) {
  static void (*const calls[])(Call*) = {broadcast, reduce,           scan, fcollect, collect,
                                         alltoall,  strided_alltoall, meet};
  const int length = (int)pick(1, CHAIN);
  int written[CHAIN], ends = 0;
  memset(used, 0, sizeof used);
  for (int i = 0; i < length; ++i) {
    const int to = pick_unused(), from = pick_block();
    if (to < 0 || to == from) continue;
    Call call = {.team = &teams[pick_team()], .dest = &blocks[to], .source = &blocks[from]};
    used[to] = used[from] = 1;
    written[ends++] = to;
    calls[pick(0, sizeof calls / sizeof *calls - 1)](&call);
  }
  for (int i = 0; i < ends; ++i) compare_block(written[i], "after collectives");
  shmem_sync_all();
}
