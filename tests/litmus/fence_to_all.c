/* A fence to several PEs: data to each, one fence, a flag to each. Whoever sees its flag sees its data, near or on
 * another node, whatever becomes of the others. PE 0 writes, all others read.
 *
 * Litmus: SYNC get wait record
 * SPDX-License-Identifier: BSD-3-Clause */
#include "litmus.h"

enum { MOST_WORDS = 1000 };

static long data[MOST_WORDS], source[MOST_WORDS], flag;

static void put_to_each(size_t words) {
  for (int pe = 1; pe < npes; ++pe) shmem_long_put(data, source, words, pe);
  shmem_fence();
}

static void p_in_turns(size_t words) {
  for (size_t i = 0; i < words; ++i)
    for (int pe = 1; pe < npes; ++pe) shmem_long_p(data + i, source[i], pe);
  shmem_fence();
}

static void add_to_each(size_t words) {
  for (int pe = 1; pe < npes; ++pe)
    for (size_t i = 0; i < words; ++i) shmem_long_atomic_inc(data + i, pe);
  shmem_fence();
}

/* A fence orders what is non-blocking, too; its source may be used again behind the quiet only. */
static void put_nbi_to_each(size_t words) {
  shmem_quiet();
  for (size_t i = 0; i < words; ++i) source[i] = flag + 1;
  for (int pe = 1; pe < npes; ++pe) shmem_long_put_nbi(data, source, words, pe);
  shmem_fence();
}

static void write_flags(long round) {
  for (int pe = 1; pe < npes; ++pe) shmem_long_p(&flag, round, pe);
}
static void set_flags(long round) {
  for (int pe = npes; --pe > 0;) shmem_long_atomic_set(&flag, round, pe);
}

typedef struct {
  const char* name;
  void (*send)(size_t words);
  void (*tell)(long round);
} Pattern;

static const Pattern patterns[] = {
    {"put, fence, p", put_to_each, write_flags},         {"put, fence, atomic_set", put_to_each, set_flags},
    {"p in turns, fence, p", p_in_turns, write_flags},   {"atomic_inc, fence, p", add_to_each, write_flags},
    {"put_nbi, fence, p", put_nbi_to_each, write_flags},
};

static void write_all(const Pattern* pattern, size_t words, long count) {
  for (flag = 0; flag < count; ++flag) {
    if (pattern->send != put_nbi_to_each)
      for (size_t i = 0; i < words; ++i) source[i] = flag + 1;
    pattern->send(words);
    pattern->tell(flag + 1);
  }
}

static void read_all(const Pattern* pattern, size_t words, long count) {
  long violations = 0;
  for (long seen = 0; seen < count;) {
    shmem_long_wait_until(&flag, SHMEM_CMP_GT, seen);
    seen = *(volatile long*)&flag;
    violations += count_stale(data, words, 1, seen) != 0;
  }
  CHECK(violations == 0, "%s of %zu words: %ld violations in %ld rounds", pattern->name, words, violations,
        count);
}

static void try_pattern(const Pattern* pattern, size_t words) {
  const long count = test_rounds(words > 100 ? 500 : 5000);
  memset(data, 0, sizeof data);
  flag = 0;
  shmem_barrier_all();
  me == 0 ? write_all(pattern, words, count) : read_all(pattern, words, count);
  shmem_barrier_all();
}

int main(void) {
  const size_t words[] = {1, 7, MOST_WORDS};
  begin();
  for (size_t p = 0; p < sizeof patterns / sizeof *patterns; ++p)
    for (int w = 0; w < 3; ++w) try_pattern(&patterns[p], words[w]);
  return end();
}
