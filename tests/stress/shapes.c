/* Random collectives of random types and sizes on teams of any shape, beside what a plain loop says the result must be.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams are strided, backwards, split again, rows and columns, parts of the PEs of a node: on several nodes members of one
 * node are apart in some and next to each other in others. Sizes go from one element past everything that algorithms
 * do in one piece. */
#include "random.h"

enum { TEAMS = 8, MOST = 1 << 15, BUFFERS = 3 };

static shmem_team_t teams[TEAMS];
static char *dest[BUFFERS], *all[BUFFERS], *source;

typedef struct {
  shmem_team_t team;
  int mine, size, in_place, which;
  size_t n; /* elements per PE, or per block */
  long key;
  char *from, *to, *sums;
} Call;

/* Small whole numbers: their sums are the same in any order and of any type. */
static long value(const Call* c, int pe, size_t i) {
  return (long)(((size_t)c->key + (size_t)pe * 7 + i * 3 + i / 512) % 5);
}

#define TYPES(X) \
  X(int, int) X(long, long) X(float, float) X(double, double) X(longdouble, long double) X(short, short)

static long before(const Call* c, size_t i, int members) {
  long sum = 0;
  for (int pe = 0; pe < members; ++pe) sum += value(c, pe, i);
  return sum;
}

#define DEFINE(NAME, T)                                                                                      \
  static void fill_##NAME(const Call* c, size_t n) {                                                         \
    for (size_t i = 0; i < n; ++i) ((T*)c->from)[i] = (T)value(c, c->mine, i);                               \
  }                                                                                                          \
  static size_t wrong_sum_##NAME(const Call* c) {                                                            \
    size_t wrong = 0;                                                                                        \
    for (size_t i = 0; i < c->n; ++i) wrong += ((T*)c->to)[i] != (T)before(c, i, c->size);                   \
    return wrong;                                                                                            \
  }                                                                                                          \
  static void sum_##NAME(const Call* c) {                                                                    \
    fill_##NAME(c, c->n);                                                                                    \
    shmem_##NAME##_sum_reduce(c->team, (T*)c->to, (T*)c->from, c->n);                                        \
    const size_t wrong = wrong_sum_##NAME(c);                                                                \
    CHECK(wrong == 0, #NAME " sum of %zu on %d PEs: %zu wrong", c->n, c->size, wrong);                       \
  }                                                                                                          \
  static void collect_##NAME(const Call* c) {                                                                \
    const size_t mine = c->n / (size_t)(1 + (c->mine + c->key) % 3); /* differs, and may be none */          \
    size_t wrong = 0, at = 0;                                                                                \
    fill_##NAME(c, mine);                                                                                    \
    shmem_##NAME##_collect(c->team, (T*)c->to, (T*)c->from, mine);                                           \
    for (int pe = 0; pe < c->size; ++pe)                                                                     \
      for (size_t i = 0; i < c->n / (size_t)(1 + (pe + c->key) % 3); ++i)                                    \
        wrong += ((T*)c->to)[at++] != (T)value(c, pe, i);                                                    \
    CHECK(wrong == 0, #NAME " collect of %zu on %d PEs: %zu wrong", c->n, c->size, wrong);                   \
  }                                                                                                          \
  static void fcollect_##NAME(const Call* c) {                                                               \
    size_t wrong = 0;                                                                                        \
    fill_##NAME(c, c->n);                                                                                    \
    shmem_##NAME##_fcollect(c->team, (T*)c->to, (T*)c->from, c->n);                                          \
    for (int pe = 0; pe < c->size; ++pe)                                                                     \
      for (size_t i = 0; i < c->n; ++i) wrong += ((T*)c->to)[(size_t)pe * c->n + i] != (T)value(c, pe, i);   \
    CHECK(wrong == 0, #NAME " fcollect of %zu on %d PEs: %zu wrong", c->n, c->size, wrong);                  \
  }                                                                                                          \
  static void alltoalls_##NAME(const Call* c) {                                                              \
    const size_t dst = 1 + (size_t)c->key % 2, sst = 1 + (size_t)c->which % 3;                               \
    const size_t n = c->n / 3, size = (size_t)c->size;                                                       \
    size_t wrong = 0;                                                                                        \
    if (n == 0) return;                                                                                      \
    for (size_t i = 0; i < n * size * sst; ++i) ((T*)c->from)[i] = (T)value(c, c->mine, i);                  \
    for (size_t i = 0; i < n * size * dst; ++i) ((T*)c->to)[i] = (T)9;                                       \
    shmem_team_sync(c->team);                                                                                \
    shmem_##NAME##_alltoalls(c->team, (T*)c->to, (T*)c->from, (ptrdiff_t)dst, (ptrdiff_t)sst, n);            \
    for (size_t pe = 0; pe < size; ++pe)                                                                     \
      for (size_t i = 0; i < n; ++i) {                                                                       \
        const T* got = (T*)c->to + dst * (pe * n + i);                                                       \
        wrong += got[0] != (T)value(c, (int)pe, sst * ((size_t)c->mine * n + i));                            \
        if (dst == 2 && pe * n + i + 1 < n * size) wrong += got[1] != (T)9;                                  \
      }                                                                                                      \
    CHECK(wrong == 0, #NAME " alltoalls of %zu on %d PEs, strides %zu %zu: %zu wrong", n, c->size, dst, sst, \
          wrong);                                                                                            \
  }                                                                                                          \
  static void scan_##NAME(const Call* c) {                                                                   \
    const int inclusive = c->which % 2;                                                                      \
    size_t wrong = 0;                                                                                        \
    fill_##NAME(c, c->n);                                                                                    \
    if (inclusive)                                                                                           \
      shmem_##NAME##_sum_inscan(c->team, (T*)c->to, (T*)c->from, c->n);                                      \
    else                                                                                                     \
      shmem_##NAME##_sum_exscan(c->team, (T*)c->to, (T*)c->from, c->n);                                      \
    for (size_t i = 0; i < c->n; ++i) wrong += ((T*)c->to)[i] != (T)before(c, i, c->mine + inclusive);       \
    CHECK(wrong == 0, #NAME " %s of %zu on %d PEs: %zu wrong", inclusive ? "inscan" : "exscan", c->n,        \
          c->size, wrong);                                                                                   \
  }
TYPES(DEFINE)

/* Numbers whose sum depends on the order: whatever it was, all members have the same bits. */
static void same_bits(const Call* c) {
  double* mine = (double*)c->from;
  const size_t n = c->n < 64 ? c->n : 64;
  for (size_t i = 0; i < c->n; ++i)
    mine[i] = 1.0 / (3.0 + (double)value(c, c->mine, i) + c->mine * 0.7 + (double)i);
  shmem_double_sum_reduce(c->team, (double*)c->to, mine, c->n);
  memmove(source, c->to, n * sizeof(double));
  shmem_double_fcollect(c->team, (double*)c->sums, (double*)source, n);
  for (int pe = 0; pe < c->size; ++pe)
    CHECK(memcmp((double*)c->sums + (size_t)pe * n, source, n * sizeof(double)) == 0,
          "member %d has another sum than member %d", pe, c->mine);
}

typedef void Collective(const Call*);
#define ROW(NAME, T) {sum_##NAME, collect_##NAME, fcollect_##NAME, alltoalls_##NAME, scan_##NAME, sizeof(T)},
static const struct {
  Collective *sum, *collect, *fcollect, *alltoalls, *scan;
  size_t element;
} types[] = {TYPES(ROW)};

/* How many elements fit, when all members bring as many three times over. */
static size_t size_for(size_t element, int members, int gathers) {
  const size_t room = (size_t)MOST * 8 / element / (gathers ? 3 * (size_t)members : 1);
  const size_t n = (size_t)pick(1, 1L << pick(1, 17));
  return n < room ? n : room;
}

/* All PEs draw everything, also for teams they are not in. */
static void one_call(long round) {
  Call call = {.team = teams[pick(0, TEAMS - 1)], .in_place = (int)pick(0, 1), .which = (int)pick(0, 5)};
  const int kind = (int)pick(0, 5), type = (int)pick(0, (long)(sizeof types / sizeof *types) - 1);
  call.key = pick(0, 1000);
  call.n = size_for(types[type].element, npes, kind > 0 && kind < 4);
  if (round % BUFFERS == 0) shmem_sync_all();
  if (call.team == SHMEM_TEAM_INVALID) return;
  call.mine = shmem_team_my_pe(call.team);
  call.size = shmem_team_n_pes(call.team);
  call.to = dest[round % BUFFERS];
  call.sums = all[round % BUFFERS];
  call.from = call.in_place && (kind == 0 || kind == 4) ? call.to : source;
  if (kind == 0) types[type].sum(&call);
  if (kind == 1) types[type].collect(&call);
  if (kind == 2) types[type].fcollect(&call);
  if (kind == 3) types[type].alltoalls(&call);
  if (kind == 4) types[type].scan(&call);
  if (kind == 5 && call.n <= MOST) same_bits(&call);
}

static shmem_team_t split(shmem_team_t parent, int members) {
  const int start = (int)pick(0, npes - 1), stride = (int)pick(1, 3) * (pick(0, 1) ? 1 : -1),
            wish = (int)pick(1, npes);
  shmem_team_t team = SHMEM_TEAM_INVALID;
  if (parent == SHMEM_TEAM_INVALID) return team;
  const int begin = start % members, room = stride > 0 ? members - 1 - begin : begin;
  const int most = room / (stride > 0 ? stride : -stride) + 1;
  shmem_team_split_strided(parent, begin, stride, wish < most ? wish : most, NULL, 0, &team);
  return team;
}

static int members_of(shmem_team_t team) { return team == SHMEM_TEAM_INVALID ? 1 : shmem_team_n_pes(team); }

static void make_teams(void) {
  teams[0] = SHMEM_TEAM_WORLD;
  for (int i = 1; i < 4; ++i) teams[i] = split(SHMEM_TEAM_WORLD, npes);
  shmem_team_split_2d(SHMEM_TEAM_WORLD, (int)pick(1, npes), NULL, 0, &teams[4], NULL, 0, &teams[5]);
  teams[6] = split(teams[4], members_of(teams[4]));
  teams[7] = split(SHMEM_TEAM_SHARED, members_of(SHMEM_TEAM_SHARED));
}

int main(void) {
  begin();
  const uint64_t seed = share_seed();
  const size_t bytes = (size_t)MOST * 8 * 2 + 4096;
  source = shmem_malloc(bytes);
  for (int i = 0; i < BUFFERS; ++i) {
    dest[i] = shmem_malloc(bytes);
    all[i] = shmem_malloc(64 * sizeof(double) * (size_t)npes);
  }
  const long count = test_rounds(npes > 8 ? 300 : 1500);
  for (long round = 0; round < count && check_failures == 0; ++round) {
    if (round % 100 == 0) make_teams();
    one_call(round);
    if (round % 100 == 99)
      for (int i = TEAMS - 1; i > 0; --i) shmem_team_destroy(teams[i]);
  }
  shmem_barrier_all();
  return end_with_seed(seed);
}
