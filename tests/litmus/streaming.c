/* Large copies, which may use stores that bypass the cache and are weakly ordered, followed by a flag.
 *
 * Litmus: SYNC get
 * SPDX-License-Identifier: BSD-3-Clause */
#include "litmus.h"

enum { MOST = 4 << 20, WORDS = MOST / sizeof(long) };

static long *data, *source;
static long flag, acknowledged;
static uint64_t signal_word;

static void fence_p(size_t words, long round) {
  shmem_long_put(data, source, words, partner());
  shmem_fence();
  shmem_long_p(&flag, round, partner());
}

static void quiet_set(size_t words, long round) {
  shmem_putmem_nbi(data, source, words * sizeof(long), partner());
  shmem_quiet();
  shmem_long_atomic_set(&flag, round, partner());
}

static void fence_add(size_t words, long round) {
  (void)round;
  shmem_put128(data, source, words / 2, partner());
  shmem_fence();
  shmem_long_atomic_add(&flag, 1, partner());
}

static void with_signal(size_t words, long round) {
  shmem_long_put_signal(data, source, words, &signal_word, round, SHMEM_SIGNAL_SET, partner());
}

static void with_added_signal(size_t words, long round) {
  (void)round;
  shmem_putmem_signal_nbi(data, source, words * sizeof(long), &signal_word, 1, SHMEM_SIGNAL_ADD, partner());
  shmem_quiet();
}

/* The other direction: the reader fetches what was put and says so; the writer must not overtake. */
typedef struct {
  const char* name;
  void (*send)(size_t, long);
  int by_signal;
} Pattern;

static const Pattern patterns[] = {
    {"put, fence, p", fence_p, 0},
    {"putmem_nbi, quiet, atomic_set", quiet_set, 0},
    {"put128, fence, add", fence_add, 0},
    {"put_signal", with_signal, 1},
    {"putmem_signal_nbi", with_added_signal, 1},
};

static void write_all(const Pattern* pattern, size_t words, long count) {
  for (long round = 1; round <= count; ++round) {
    for (size_t i = 0; i < words; ++i) source[i] = round;
    pattern->send(words, round);
    shmem_long_wait_until(&acknowledged, SHMEM_CMP_GE, round);
  }
}

static void read_all(const Pattern* pattern, size_t words, long count) {
  long violations = 0;
  for (long round = 1; round <= count; ++round) {
    if (pattern->by_signal) {
      shmem_signal_wait_until(&signal_word, SHMEM_CMP_GE, (uint64_t)round);
    } else {
      shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
    }
    /* Last bytes first: they are the likeliest to be late. */
    violations += count_stale(data + words - 8, 8, 1, round) != 0;
    violations += count_stale(data, words, 7, round) != 0;
    shmem_long_atomic_set(&acknowledged, round, partner());
  }
  CHECK(violations == 0, "%s of %zu bytes: %ld violations", pattern->name, words * sizeof(long), violations);
}

static void try_pattern(const Pattern* pattern, size_t bytes) {
  const long count = test_rounds(bytes > 1 << 20 ? 15 : bytes > 1 << 18 ? 60 : 400);
  const size_t words = bytes / sizeof(long);
  flag = 0, signal_word = 0, acknowledged = 0;
  memset(data, 0, bytes);
  shmem_barrier_all();
  if (i_write()) write_all(pattern, words, count);
  if (i_read()) read_all(pattern, words, count);
  shmem_barrier_all();
}

/* fcollect and broadcast may stream too; their completion must cover every byte, at once, without a barrier.
 */
static void a_collective_is_complete_when_it_returns(void) {
  const size_t words = (1 << 20) / sizeof(long) / npes;
  long violations = 0;
  for (long round = 1; round <= test_rounds(40); ++round) {
    for (size_t i = 0; i < words; ++i) source[i] = round;
    shmem_sync_all();
    shmem_long_fcollect(SHMEM_TEAM_WORLD, data, source, words);
    violations += count_stale(data, words * npes, 5, round) != 0;
    shmem_sync_all();
    shmem_long_broadcast(SHMEM_TEAM_WORLD, data, source, words, (int)(round % npes));
    violations += count_stale(data, words, 3, round) != 0;
  }
  CHECK(violations == 0, "%ld collectives returned with stale data", violations);
}

int main(void) {
  begin();
  data = shmem_malloc(MOST);
  source = shmem_malloc(MOST);
  const size_t sizes[] = {4096, 65536, 262144 + 8, 1 << 20, MOST};
  for (size_t p = 0; p < sizeof patterns / sizeof *patterns; ++p)
    for (int s = 0; s < 5; ++s) try_pattern(&patterns[p], sizes[s] & ~(size_t)15);
  memset(data, 0, MOST);
  a_collective_is_complete_when_it_returns();
  return end();
}
