/* The deprecated active-set collectives: every stride, pSync restored, the root's destination left alone
 * (9.10, Annex F).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

enum { LONGEST = 100, SYNC = SHMEM_SYNC_SIZE };

typedef struct {
  int start, log_stride, size;
} ActiveSet;

/* Several pSyncs in turn: between two uses of one lies a barrier. */
static long sync_words[8][SYNC];
static int call;
static uint64_t *dest, *source;
static uint32_t *dest32, *source32;

static long* next_sync(void) { return sync_words[call++ % 8]; }

static int number_in(ActiveSet set) {
  const int distance = me - set.start, stride = 1 << set.log_stride;
  return distance >= 0 && distance % stride == 0 && distance / stride < set.size ? distance / stride : -1;
}

static uint64_t value(int number, size_t i) { return (uint64_t)number * 1000003 + i * 7 + 1; }

static void prepare(ActiveSet set, size_t n) {
  for (size_t i = 0; i <= n; ++i) dest[i] = 0, dest32[i] = 0;
  shmem_barrier(set.start, set.log_stride, set.size, next_sync());
  for (size_t i = 0; i < n; ++i) {
    source[i] = value(number_in(set), i);
    source32[i] = (uint32_t)source[i];
  }
}

static void expect(size_t n, int number, size_t first, const char* what) {
  for (size_t i = 0; i < n; ++i) CHECK(dest[i] == value(number, first + i), "%s: element %zu", what, i);
}

#define EACH(SIZE, CONDITION, ...) \
  for (int k = 0; k < (SIZE); ++k) \
    for (size_t i = 0; i < n; ++i) CHECK(CONDITION, __VA_ARGS__)

static void broadcasts(ActiveSet set, int mine, size_t n) {
  for (int root = 0; root < set.size; ++root) {
    prepare(set, n);
    shmem_broadcast64(dest, source, n, root, set.start, set.log_stride, set.size, next_sync());
    shmem_broadcast32(dest32, source32, n, root, set.start, set.log_stride, set.size, next_sync());
    if (mine == root) {
      for (size_t i = 0; i < n; ++i)
        CHECK(dest[i] == 0 && dest32[i] == 0, "the root's destination is left alone");
    } else {
      expect(n, root, 0, "broadcast64");
      for (size_t i = 0; i < n; ++i)
        CHECK(dest32[i] == (uint32_t)value(root, i), "broadcast32: element %zu", i);
    }
  }
}

static void fcollects(ActiveSet set, size_t n) {
  prepare(set, n * set.size);
  shmem_fcollect64(dest, source, n, set.start, set.log_stride, set.size, next_sync());
  shmem_fcollect32(dest32, source32, n, set.start, set.log_stride, set.size, next_sync());
  EACH(set.size, dest[k * n + i] == value(k, i), "fcollect64: element %zu of %d", i, k);
  EACH(set.size, dest32[k * n + i] == (uint32_t)value(k, i), "fcollect32: element %zu of %d", i, k);
}

static void collects(ActiveSet set, int mine, size_t n) {
  prepare(set, n * set.size);
  shmem_collect64(dest, source, mine % 2 ? n : n / 2, set.start, set.log_stride, set.size, next_sync());
  shmem_collect32(dest32, source32, n, set.start, set.log_stride, set.size, next_sync());
  for (size_t k = 0, at = 0; k < (size_t)set.size; ++k)
    for (size_t i = 0; i < (k % 2 ? n : n / 2); ++i, ++at)
      CHECK(dest[at] == value((int)k, i), "collect64: element %zu of %zu", i, k);
  EACH(set.size, dest32[k * n + i] == (uint32_t)value(k, i), "collect32: element %zu of %d", i, k);
}

static void alltoalls(ActiveSet set, int mine, size_t n) {
  prepare(set, n * set.size);
  shmem_alltoall64(dest, source, n, set.start, set.log_stride, set.size, next_sync());
  shmem_alltoall32(dest32, source32, n, set.start, set.log_stride, set.size, next_sync());
  EACH(set.size, dest[k * n + i] == value(k, mine * n + i), "alltoall64: element %zu of %d", i, k);
  EACH(set.size, dest32[k * n + i] == (uint32_t)value(k, mine * n + i), "alltoall32: element %zu of %d", i,
       k);
  prepare(set, n * set.size * 3);
  shmem_alltoalls64(dest, source, 2, 3, n, set.start, set.log_stride, set.size, next_sync());
  shmem_alltoalls32(dest32, source32, 2, 3, n, set.start, set.log_stride, set.size, next_sync());
  EACH(set.size, dest[2 * (k * n + i)] == value(k, 3 * (mine * n + i)), "alltoalls64: element %zu of %d", i,
       k);
  EACH(set.size, dest32[2 * (k * n + i)] == (uint32_t)value(k, 3 * (mine * n + i)), "alltoalls32: %zu of %d",
       i, k);
}

static void expect_sync_words_restored(void) {
  for (int k = 0; k < 8; ++k)
    for (int i = 0; i < SYNC; ++i) CHECK(sync_words[k][i] == SHMEM_SYNC_VALUE, "pSync %d word %d", k, i);
}

static void test_set(ActiveSet set) {
  const size_t lengths[] = {0, 1, LONGEST - 1};
  const int mine = number_in(set);
  if (mine < 0) return;
  for (int l = 0; l < 3; ++l) {
    broadcasts(set, mine, lengths[l]);
    fcollects(set, lengths[l]);
    collects(set, mine, lengths[l]);
    alltoalls(set, mine, lengths[l]);
  }
  shmem_sync(set.start, set.log_stride, set.size, next_sync());
  shmem_barrier(set.start, set.log_stride, set.size, next_sync());
  expect_sync_words_restored();
}

/* A barrier on an active set completes puts among its members. */
static void barrier_completes_puts(ActiveSet set) {
  const int mine = number_in(set);
  static long arrived;
  if (mine < 0) return;
  const int next = set.start + ((mine + 1) % set.size << set.log_stride);
  for (long round = 1; round < 100; ++round) {
    shmem_long_p(&arrived, round, next);
    shmem_barrier(set.start, set.log_stride, set.size, next_sync());
    CHECK(arrived == round, "round %ld, but %ld has arrived", round, arrived);
    shmem_barrier(set.start, set.log_stride, set.size, next_sync());
  }
}

/* Two destinations and two pSyncs in turn, and nothing else between the calls: as programs of old do it. */
static void broadcasts_in_turn_need_no_barrier(void) {
  enum { WORDS = 4096, ROUNDS = 300 };
  static uint64_t to[2][WORDS], from[2][WORDS];
  for (int i = 0; i < 2 * WORDS; ++i) from[i / WORDS][i % WORDS] = 7, to[i / WORDS][i % WORDS] = 0;
  shmem_barrier_all();
  for (int round = 0; round < ROUNDS; ++round) {
    uint64_t* now = to[round % 2];
    shmem_broadcast64(now, from[round % 2], WORDS, 0, 0, 0, npes, sync_words[round % 2]);
    int wrong = 0;
    for (int i = 0; i < WORDS && me != 0; ++i) wrong += now[i] != 7;
    CHECK(wrong == 0, "round %d: %d wrong words", round, wrong);
    for (int i = 0; i < WORDS; ++i) now[i] = 0;
  }
  shmem_barrier_all();
}

static void test_every_set(void) {
  for (int log_stride = 0; 1 << log_stride <= npes; ++log_stride)
    for (int start = 0; start < npes; start += 1 + start)
      for (int size = 1; start + (size - 1) * (1 << log_stride) < npes; ++size) {
        const ActiveSet set = {start, log_stride, size};
        test_set(set);
        barrier_completes_puts(set);
        shmem_barrier_all();
      }
}

int main(void) {
  begin();
  for (int i = 0; i < SYNC; ++i)
    for (int k = 0; k < 8; ++k) sync_words[k][i] = SHMEM_SYNC_VALUE;
  const size_t most = (size_t)LONGEST * npes * 3 + 1;
  dest = shmem_malloc(most * sizeof *dest), source = shmem_malloc(most * sizeof *source);
  dest32 = shmem_malloc(most * sizeof *dest32), source32 = shmem_malloc(most * sizeof *source32);
  shmem_barrier_all();
  test_every_set();
  broadcasts_in_turn_need_no_barrier();
  return end();
}
