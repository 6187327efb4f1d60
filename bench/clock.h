/* Reading the clock, and the middle of what it said. Programs and limits count alike by sharing it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdlib.h>
#include <time.h>

static inline double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static inline int compare_doubles(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

/* The median of a few; of many, the average without the lowest and the highest tenth: as steady, and finer
 * than a clock that counts in steps of 10 ns, as on some processors. */
static inline double middle(double* values, int count) {
  double sum = 0;
  qsort(values, (size_t)count, sizeof *values, compare_doubles);
  const int first = count < 16 ? (count - 1) / 2 : count / 10, end = count - first;
  for (int i = first; i < end; i++) sum += values[i];
  return sum / (end - first);
}

static inline double cost_of_the_clock(void) {
  double costs[501];
  for (int i = 0; i < 501; i++) {
    const double begin = now_ns();
    costs[i] = now_ns() - begin;
  }
  return middle(costs, 501);
}

/* What lies between two readings of the clock that are `took` apart, in ns: no less than the clock's own unit. On a busy machine a reading costs
 * now more, now less, and a load from a cache is shorter than that difference. */
static inline double without_the_clock(double took, double cost) { return took - cost > 1 ? took - cost : 1; }

#endif
