/* What the small measurements share: a clock and one line per number. Standard OpenSHMEM only.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_H
#define BENCH_H

#include <shmem.h>
#include <stdio.h>
#include <time.h>

static inline double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Read by tools/door/bench.sh: what was measured, a tab, the number. */
static inline void report(const char* what, double value) { printf("%s\t%.2f\n", what, value); }

#endif
