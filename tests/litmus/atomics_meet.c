/* Atomic operations from everywhere on one word: its owner's, its neighbours' and those that another node's CPU executes
 * are atomic together. Each of the values 0, 1, 2, ... is fetched once, and by each PE in rising order.
 *
 * Litmus: SYNC amo
 * SPDX-License-Identifier: BSD-3-Clause */
#include "litmus.h"

static long word;
static int half; /* 32 bits */

static long fetch_inc(void) { return shmem_long_atomic_fetch_inc(&word, 0); }
static long fetch_add(void) { return shmem_long_atomic_fetch_add(&word, 1, 0); }
static long fetch_inc_half(void) { return shmem_int_atomic_fetch_inc(&half, 0); }
static long compare_and_swap(void) {
  for (long old = shmem_long_atomic_fetch(&word, 0);;) {
    const long found = shmem_long_atomic_compare_swap(&word, old, old + 1, 0);
    if (found == old) return old;
    old = found;
  }
}
/* Every second one by the processor's own instruction, where the word is near. */
static long through_a_pointer(void) {
  long* const near = shmem_ptr(&word, 0);
  return near ? __atomic_fetch_add(near, 1, __ATOMIC_RELAXED) : fetch_add();
}
static long in_turns(void) {
  static int turn;
  return ++turn % 2 ? fetch_inc() : through_a_pointer();
}

static const struct Pattern {
  const char* name;
  long (*count)(void);
} patterns[] = {{"fetch_inc", fetch_inc},
                {"fetch_add", fetch_add},
                {"fetch_inc of 32 bits", fetch_inc_half},
                {"compare_swap", compare_and_swap},
                {"fetch_inc and the processor's own", in_turns}};

static void try_pattern(const struct Pattern* pattern, long count) {
  static long mine, all;
  long last = -1, falls = 0;
  word = mine = half = 0;
  shmem_barrier_all();
  for (long i = 0; i < count; ++i) {
    const long fetched = pattern->count();
    falls += fetched <= last;
    mine += last = fetched;
  }
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
  const long fetches = count * npes;
  CHECK(falls == 0, "%s: %ld values came in falling order", pattern->name, falls);
  CHECK(all == fetches * (fetches - 1) / 2, "%s: the values add up to %ld", pattern->name, all);
  if (me == 0)
    CHECK(word + half == fetches, "%s: %ld of %ld increments", pattern->name, word + half, fetches);
  shmem_barrier_all();
}

int main(void) {
  begin();
  for (size_t p = 0; p < sizeof patterns / sizeof *patterns; ++p)
    try_pattern(&patterns[p], test_rounds(5000));
  return end();
}
