/* What the litmus programs share: pairs of a writer and a reader, rounds, and the comparison of words that
 * only grow.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef LITMUS_H
#define LITMUS_H

#include "../conformance/check.h"

/* Even PEs write, odd ones read; a last PE without a partner stands by. */
__attribute__((unused)) static int partner(void) { return me ^ 1; }
__attribute__((unused)) static int i_have_a_partner(void) { return partner() < npes; }
__attribute__((unused)) static int i_write(void) { return me % 2 == 0 && i_have_a_partner(); }
__attribute__((unused)) static int i_read(void) { return me % 2 == 1; }

/* Words below `least` are violations: the flag came before the data. */
__attribute__((unused)) static long count_stale(const volatile long* words, size_t count, size_t step,
                                                long least) {
  long stale = 0;
  for (size_t i = 0; i < count; i += step) stale += words[i] < least;
  return stale + (count > 0 && words[count - 1] < least);
}

/* Keeps two PEs in phase for one round without the library's barrier. */
__attribute__((unused)) static void meet(long* ready, long round) {
  shmem_long_atomic_set(ready, round, partner());
  shmem_long_wait_until(ready, SHMEM_CMP_GE, round);
}

#endif
