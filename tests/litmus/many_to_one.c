/* Several writers and one reader: wait_any, wait_some, test_some and locks must acquire what the flags
 * publish.
 *
 * Litmus: SYNC wait
 * SPDX-License-Identifier: BSD-3-Clause */
#include <sched.h>

#include "litmus.h"

enum { WORDS = 24, MOST_PES = 64 };

static long data[MOST_PES][WORDS];
static long flags[MOST_PES], received[MOST_PES];
static long lock, protected_words[WORDS];

static void write_rounds(long count) {
  long source[WORDS];
  for (long round = 1; round <= count; ++round) {
    for (int i = 0; i < WORDS; ++i) source[i] = round;
    shmem_long_put(data[me], source, WORDS, 0);
    shmem_fence();
    shmem_long_atomic_set(&flags[me], round, 0);
    shmem_long_wait_until(&received[me], SHMEM_CMP_GE, round);
  }
}

typedef size_t Receive(long* seen, size_t* from);

/* Each flag must exceed what was seen of it: a vector of different values to compare with. */
static size_t by_any(long* seen, size_t* from) {
  from[0] = shmem_long_wait_until_any_vector(flags, npes, NULL, SHMEM_CMP_GT, seen);
  return 1;
}

static size_t by_some(long* seen, size_t* from) {
  return shmem_long_wait_until_some_vector(flags, npes, from, NULL, SHMEM_CMP_GT, seen);
}

static size_t by_test_some(long* seen, size_t* from) {
  size_t count;
  while ((count = shmem_long_test_some_vector(flags, npes, from, NULL, SHMEM_CMP_GT, seen)) == 0)
    sched_yield();
  return count;
}

static void read_rounds(Receive* receive, const char* name, long count) {
  long seen[MOST_PES] = {count}, violations = 0; /* my own flag is never waited for */
  size_t from[MOST_PES];
  for (long left_over = count * (npes - 1); left_over > 0;) {
    const size_t some = receive(seen, from);
    for (size_t k = 0; k < some; ++k, --left_over) {
      const size_t pe = from[k];
      violations += count_stale(data[pe], WORDS, 1, ++seen[pe]) != 0;
      shmem_long_atomic_set(&received[pe], seen[pe], (int)pe);
    }
  }
  CHECK(violations == 0, "%s: %ld violations", name, violations);
}

static void try_receive(Receive* receive, const char* name) {
  const long count = test_rounds(2000);
  memset(data, 0, sizeof data);
  memset(flags, 0, sizeof flags);
  memset(received, 0, sizeof received);
  shmem_barrier_all();
  if (me == 0) {
    read_rounds(receive, name, count);
  } else {
    write_rounds(count);
  }
  shmem_barrier_all();
}

/* Everything the last owner put is there for the next: all words are equal, and one more than before. */
static void a_lock_publishes_what_it_protects(void) {
  long violations = 0;
  const long count = test_rounds(2000);
  for (long round = 0; round < count; ++round) {
    long words[WORDS];
    shmem_set_lock(&lock);
    shmem_long_get(words, protected_words, WORDS, 0);
    for (int i = 1; i < WORDS; ++i) violations += words[i] != words[0];
    for (int i = 0; i < WORDS; ++i) ++words[i];
    shmem_long_put_nbi(protected_words, words, WORDS, 0);
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  CHECK(violations == 0, "%ld words were stale inside the lock", violations);
  CHECK(shmem_long_g(protected_words, 0) == count * npes, "%ld rounds were counted",
        shmem_long_g(protected_words, 0));
  shmem_barrier_all();
}

/* Plain stores through direct pointers, then a barrier or sync: everybody sees them. */
static void barriers_publish_plain_stores(void) {
  long violations = 0;
  memset(data, 0, sizeof data);
  shmem_barrier_all();
  for (long round = 1; round <= test_rounds(5000); ++round) {
    const int to = (int)((me + round) % npes);
    volatile long* there = shmem_ptr(data[me], to);
    for (int i = 0; there && i < WORDS; ++i) there[i] = round;
    round % 2 ? shmem_barrier_all() : shmem_sync_all();
    const int from = (int)(((me - round) % npes + npes) % npes);
    if (shares(from)) violations += count_stale(data[from], WORDS, 1, round) != 0;
    round % 3 ? (void)shmem_team_sync(SHMEM_TEAM_WORLD) : shmem_barrier_all();
  }
  CHECK(violations == 0, "%ld barriers did not publish plain stores", violations);
}

/* Atomics on one word, with data that each ticket's owner publishes for the next. */
static void tickets_hand_over_data(void) {
  static long ticket, serving, handed[WORDS];
  long violations = 0;
  const long count = test_rounds(1000);
  shmem_barrier_all();
  for (long round = 0; round < count; ++round) {
    const long mine = shmem_long_atomic_fetch_inc(&ticket, 0);
    while (shmem_long_atomic_fetch(&serving, 0) != mine) sched_yield();
    long words[WORDS];
    shmem_long_get(words, handed, WORDS, 0);
    for (int i = 0; i < WORDS; ++i) violations += words[i] != mine, words[i] = mine + 1;
    shmem_long_put(handed, words, WORDS, 0);
    shmem_quiet();
    shmem_long_atomic_inc(&serving, 0);
  }
  CHECK(violations == 0, "%ld words of the previous owner were stale", violations);
  shmem_barrier_all();
}

int main(void) {
  begin();
  try_receive(by_any, "wait_until_any_vector");
  try_receive(by_some, "wait_until_some_vector");
  try_receive(by_test_some, "test_some_vector");
  a_lock_publishes_what_it_protects();
  barriers_publish_plain_stores();
  tickets_hand_over_data();
  return end();
}
