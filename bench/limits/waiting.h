/* Ways to wait for a flag, and the time of one round of something that all processes do again and again.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_WAITING_H
#define BENCH_WAITING_H

#include "limit.h"

/* Looks again at once; rests a moment before; makes way, which is all that helps with more processes than
 * CPUs. */
static enum Style { hasty, restful, giving } style;

static inline void wait_for(atomic_long* flag, long value) {
  while (atomic_load_explicit(flag, memory_order_acquire) < value)
    if (style == giving)
      sched_yield();
    else if (style == restful)
      relax();
}

static inline void raise_flag(atomic_long* flag, long value) {
  atomic_store_explicit(flag, value, memory_order_release);
}

/* Middle of the batches of the nanoseconds of one round; the rounds of a function are numbered from 1. */
static inline double time_style(void (*run)(long), struct Meeting* meeting, struct Wishes wishes,
                                long* round) {
  const long rounds = style == giving ? 200 : 2000;
  const int batches = wishes.quick ? 11 : 31;
  double each[max_batches];
  meet(meeting, wishes.processes);
  for (int batch = 0; batch < batches; batch++) {
    const double begin = now_ns();
    for (long i = 0; i < rounds; i++) run(++*round);
    each[batch] = (now_ns() - begin) / (double)rounds;
  }
  meet(meeting, wishes.processes);
  return middle(each, batches);
}

/* The time with the better way to wait. */
static inline double time_best(void (*run)(long), struct Meeting* meeting, struct Wishes wishes) {
  long round = 0;
  double best = 0;
  for (int turn = 0; turn < 2; turn++) {
    style = patience == 0 ? giving : turn == 0 ? hasty : restful;
    const double taken = time_style(run, meeting, wishes, &round);
    if (turn == 0 || taken < best) best = taken;
  }
  return best;
}

#endif
