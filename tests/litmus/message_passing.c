/* Message passing: data, then an ordering, then a flag. Whoever sees the flag sees the data.
 * The writer runs freely with data and flag that only grow; the reader checks that no word is older than the
 * flag.
 *
 * Litmus: SYNC get amo wait record
 * SPDX-License-Identifier: BSD-3-Clause */
#include <sched.h>

#include "litmus.h"

enum { MOST_WORDS = 1000 };

static long global_data[MOST_WORDS], flag;
static uint64_t signal_word;
static shmem_ctx_t ctx;

typedef struct {
  long *data, *source;
  size_t words;
  long round;
} Message;

static void put_fence_p(Message m) {
  shmem_long_put(m.data, m.source, m.words, partner());
  shmem_fence();
  shmem_long_p(&flag, m.round, partner());
}

static void p_fence_p(Message m) {
  for (size_t i = 0; i < m.words; ++i) shmem_long_p(m.data + i, m.round, partner());
  shmem_fence();
  shmem_long_p(&flag, m.round, partner());
}

static void put_fence_set(Message m) {
  shmem_long_put(m.data, m.source, m.words, partner());
  shmem_fence();
  shmem_long_atomic_set(&flag, m.round, partner());
}

static void put_quiet_increment(Message m) {
  shmem_putmem(m.data, m.source, m.words * sizeof(long), partner());
  shmem_quiet();
  shmem_long_atomic_inc(&flag, partner());
}

static void nbi_quiet_add(Message m) {
  shmem_long_put_nbi(m.data, m.source, m.words, partner());
  shmem_quiet();
  shmem_long_atomic_add(&flag, 1, partner());
}

static void nbi_fence_swap(Message m) {
  shmem_ctx_long_put_nbi(ctx, m.data, m.source, m.words, partner());
  shmem_ctx_fence(ctx);
  (void)shmem_ctx_long_atomic_swap(ctx, &flag, m.round, partner());
  shmem_ctx_quiet(ctx);
}

static void strided_pe_quiet_p(Message m) {
  const int pe = partner();
  shmem_long_iput(m.data, m.source, 1, 1, m.words, pe);
  shmem_pe_quiet(&pe, 1);
  shmem_long_p(&flag, m.round, pe);
}

/* Plain stores through a direct pointer are ordered by fence too. Other nodes have none. */
static void store_fence_p(Message m) {
  long* there = shmem_ptr(m.data, partner());
  if (!there) return p_fence_p(m);
  for (size_t i = 0; i < m.words; ++i) ((volatile long*)there)[i] = m.round;
  shmem_fence();
  shmem_long_p(&flag, m.round, partner());
}

static void put_signal(Message m) {
  shmem_long_put_signal(m.data, m.source, m.words, &signal_word, m.round, SHMEM_SIGNAL_SET, partner());
}

static void put_signal_nbi(Message m) {
  shmem_long_put_signal_nbi(m.data, m.source, m.words, &signal_word, 1, SHMEM_SIGNAL_ADD, partner());
  shmem_quiet();
}

static long wait_for_flag(long least) {
  shmem_long_wait_until(&flag, SHMEM_CMP_GE, least);
  return *(volatile long*)&flag;
}

static long test_for_flag(long least) {
  while (!shmem_long_test(&flag, SHMEM_CMP_GE, least)) sched_yield();
  return least;
}

static long wait_for_signal(long least) {
  return (long)shmem_signal_wait_until(&signal_word, SHMEM_CMP_GE, (uint64_t)least);
}

typedef struct {
  const char* name;
  void (*send)(Message);
  long (*receive)(long);
} Pattern;

static const Pattern patterns[] = {
    {"put, fence, p", put_fence_p, wait_for_flag},
    {"p, fence, p", p_fence_p, wait_for_flag},
    {"p, fence, p, seen by test", p_fence_p, test_for_flag},
    {"put, fence, atomic_set", put_fence_set, wait_for_flag},
    {"put, quiet, atomic_inc", put_quiet_increment, wait_for_flag},
    {"put_nbi, quiet, atomic_add", nbi_quiet_add, wait_for_flag},
    {"ctx put_nbi, fence, atomic_swap", nbi_fence_swap, wait_for_flag},
    {"iput, pe_quiet, p", strided_pe_quiet_p, wait_for_flag},
    {"store through shmem_ptr, fence, p", store_fence_p, wait_for_flag},
    {"put_signal", put_signal, wait_for_signal},
    {"put_signal_nbi", put_signal_nbi, wait_for_signal},
};

static void write_all(const Pattern* pattern, Message m, long count) {
  long source[MOST_WORDS];
  m.source = source;
  for (m.round = 1; m.round <= count; ++m.round) {
    for (size_t i = 0; i < m.words; ++i) source[i] = m.round;
    pattern->send(m);
  }
}

static void read_all(const Pattern* pattern, Message m, long count) {
  long violations = 0;
  for (long seen = 0; seen < count;) {
    seen = pattern->receive(seen + 1);
    violations += count_stale(m.data, m.words, 1, seen) != 0;
  }
  CHECK(violations == 0, "%s of %zu words: %ld violations in %ld rounds", pattern->name, m.words, violations,
        count);
}

static void try_pattern(const Pattern* pattern, long* data, size_t words) {
  const Message message = {data, NULL, words, 0};
  const long count = test_rounds(words > 100 ? 2000 : 20000);
  memset(data, 0, MOST_WORDS * sizeof *data);
  flag = 0, signal_word = 0;
  shmem_barrier_all();
  if (i_write()) write_all(pattern, message, count);
  if (i_read()) read_all(pattern, message, count);
  shmem_barrier_all();
}

int main(void) {
  const size_t words[] = {1, 7, 64, MOST_WORDS};
  begin();
  CHECK(shmem_ctx_create(0, &ctx) == 0, "a context can be made");
  long* heap_data = shmem_malloc(sizeof global_data);
  for (size_t p = 0; p < sizeof patterns / sizeof *patterns; ++p)
    for (int w = 0; w < 4; ++w) try_pattern(&patterns[p], w % 2 ? heap_data : global_data, words[w]);
  shmem_ctx_destroy(ctx);
  return end();
}
