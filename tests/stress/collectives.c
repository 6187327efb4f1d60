/* Random collectives on random teams with random types and sizes, back to back, each checked.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "random.h"

enum { TEAMS = 6, LONGEST = 1 << 15, BUFFERS = 4 };

static shmem_team_t teams[TEAMS];
static unsigned char *dest[BUFFERS], *source;

typedef struct {
  shmem_team_t team;
  int mine, size, root;
  size_t n;
  int key;
} Call;

static unsigned char byte(const Call* c, int pe, size_t i) {
  return (unsigned char)(c->key + pe * 41 + i * 7 + i / 256);
}

static void expect(const Call* c, const unsigned char* got, int blocks, size_t first, const char* what) {
  size_t wrong = 0;
  for (int k = 0; k < blocks; ++k)
    for (size_t i = 0; i < c->n; ++i)
      wrong += got[k * c->n + i] != byte(c, blocks == 1 ? c->root : k, first + i);
  CHECK(wrong == 0, "%s of %zu bytes on %d PEs: %zu wrong", what, c->n, c->size, wrong);
}

static void broadcast(const Call* c, unsigned char* to) {
  shmem_broadcastmem(c->team, to, source, c->n, c->root);
  expect(c, to, 1, 0, "broadcast");
}

static void fcollect(const Call* c, unsigned char* to) {
  shmem_uint8_fcollect(c->team, to, source, c->n);
  expect(c, to, c->size, 0, "fcollect");
}

static void collect(const Call* c, unsigned char* to) {
  shmem_collectmem(c->team, to, source, c->n);
  expect(c, to, c->size, 0, "collect");
}

static void alltoall(const Call* c, unsigned char* to) {
  shmem_alltoallmem(c->team, to, source, c->n);
  expect(c, to, c->size, c->mine * c->n, "alltoall");
}

/* A uint8 sum wraps round, so any number of members is fine. */
static void sum_bytes(const Call* c, unsigned char* to) {
  size_t wrong = 0;
  shmem_uint8_sum_reduce(c->team, to, source, c->n);
  for (size_t i = 0; i < c->n; ++i) {
    unsigned char wanted = 0;
    for (int pe = 0; pe < c->size; ++pe) wanted = (unsigned char)(wanted + byte(c, pe, i));
    wrong += to[i] != wanted;
  }
  CHECK(wrong == 0, "sum of %zu bytes on %d PEs: %zu wrong", c->n, c->size, wrong);
}

static void max_bytes(const Call* c, unsigned char* to) {
  size_t wrong = 0;
  shmem_uint8_max_reduce(c->team, to, source, c->n);
  for (size_t i = 0; i < c->n; ++i) {
    unsigned char wanted = 0;
    for (int pe = 0; pe < c->size; ++pe) wanted = byte(c, pe, i) > wanted ? byte(c, pe, i) : wanted;
    wrong += to[i] != wanted;
  }
  CHECK(wrong == 0, "max of %zu bytes on %d PEs: %zu wrong", c->n, c->size, wrong);
}

static void scan_bytes(const Call* c, unsigned char* to) {
  size_t wrong = 0;
  shmem_uint8_sum_inscan(c->team, to, source, c->n);
  for (size_t i = 0; i < c->n; ++i) {
    unsigned char wanted = 0;
    for (int pe = 0; pe <= c->mine; ++pe) wanted = (unsigned char)(wanted + byte(c, pe, i));
    wrong += to[i] != wanted;
  }
  CHECK(wrong == 0, "inscan of %zu bytes on %d PEs: %zu wrong", c->n, c->size, wrong);
}

static void sync_only(const Call* c, unsigned char* to) {
  (void)to;
  shmem_team_sync(c->team);
}

typedef void Collective(const Call*, unsigned char*);
static Collective* const kinds[] = {broadcast, fcollect,  collect,    alltoall,
                                    sum_bytes, max_bytes, scan_bytes, sync_only};

/* All PEs draw everything, also for teams they are not in. */
static void one_call(long round) {
  Call call = {.team = teams[pick(0, TEAMS - 1)]};
  const int kind = (int)pick(0, 7), root = (int)pick(0, 1000);
  call.n = (size_t)pick(0, 1L << pick(0, 15)) / npes;
  call.key = (int)pick(0, 255);
  if (round % BUFFERS == 0) shmem_sync_all();
  if (call.team == SHMEM_TEAM_INVALID) return;
  call.mine = shmem_team_my_pe(call.team);
  call.size = shmem_team_n_pes(call.team);
  call.root = root % call.size;
  for (size_t i = 0; i < call.n * call.size; ++i) source[i] = byte(&call, call.mine, i);
  kinds[kind](&call, dest[round % BUFFERS]);
}

static void make_teams(void) {
  teams[0] = SHMEM_TEAM_WORLD;
  for (int i = 1; i < TEAMS; ++i) {
    const int start = (int)pick(0, npes - 1), stride = (int)pick(1, 3) * (pick(0, 1) ? 1 : -1);
    const int room = stride > 0 ? npes - 1 - start : start, most = room / (stride > 0 ? stride : -stride) + 1;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, (int)pick(1, most), NULL, 0, &teams[i]);
  }
}

int main(void) {
  begin();
  const uint64_t seed = share_seed();
  source = shmem_malloc(LONGEST + 4096);
  for (int i = 0; i < BUFFERS; ++i) dest[i] = shmem_malloc(LONGEST + 4096);
  const long count = test_rounds(npes > 8 ? 400 : 4000);
  for (long round = 0; round < count && check_failures == 0; ++round) {
    if (round % 200 == 0) make_teams();
    one_call(round);
    if (round % 200 == 199)
      for (int i = 1; i < TEAMS; ++i) shmem_team_destroy(teams[i]);
  }
  shmem_barrier_all();
  return end_with_seed(seed);
}
