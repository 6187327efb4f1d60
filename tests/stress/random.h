/* Random numbers that every PE draws alike: all PEs plan the same program, each runs its part of it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef RANDOM_H
#define RANDOM_H

#include <time.h>

#include "../conformance/check.h"

static uint64_t random_state;

__attribute__((unused)) static uint64_t draw(void) { /* xorshift64* */
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return random_state * UINT64_C(2685821657736338717);
}

/* low <= result <= high */
__attribute__((unused)) static long pick(long low, long high) {
  return low + (long)(draw() >> 11) % (high - low + 1);
}

/* PE 0 chooses the seed, or takes TEST_SEED; it is printed at the first failure, to run the same again. */
__attribute__((unused)) static uint64_t share_seed(void) {
  static uint64_t seed;
  const char* wish = getenv("TEST_SEED");
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (me == 0) {
    const uint64_t chosen =
        wish ? strtoull(wish, NULL, 0) : (uint64_t)now.tv_nsec * 1000003 + (uint64_t)now.tv_sec;
    for (int pe = 0; pe < npes; ++pe) shmem_uint64_p(&seed, chosen, pe);
  }
  shmem_barrier_all();
  random_state = seed * 2 + 1;
  return seed;
}

__attribute__((unused)) static int end_with_seed(uint64_t seed) {
  shmem_finalize();
  if (check_failures) fprintf(stderr, "PE %d: repeat with TEST_SEED=%llu\n", me, (unsigned long long)seed);
  return verdict();
}

#endif
