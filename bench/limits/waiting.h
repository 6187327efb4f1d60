/* Ways to wait for a flag, and the time of one round of something that all processes do again and again.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_WAITING_H
#define BENCH_WAITING_H

#include "limit.h"

/* Looks again at once; rests a moment before; makes way, which is all that helps with more processes than
 * CPUs. */
static enum Style { hasty, restful, giving } style;

/* How many of them are worth measuring; the number-th of those from here on, and its name. */
static inline int styles(void) { return patience == 0 ? 1 : 2; }
static inline const char* choose_style(int number) {
  static const char* const names[] = {"hasty", "restful", "giving"};
  style = patience == 0 ? giving : number == 0 ? hasty : restful;
  return names[style];
}

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
static inline double time_style(void (*run)(long), struct RoundBarrier* round_barrier,
                                struct LimitOptions options, long* round) {
  const long rounds = style == giving ? 200 : 2000;
  const int batches = options.quick ? 11 : 31;
  double each[max_batches];
  meet(round_barrier, options.processes);
  for (int batch = 0; batch < batches; batch++) {
    const double begin = now_ns();
    for (long i = 0; i < rounds; i++) run(++*round);
    each[batch] = (now_ns() - begin) / (double)rounds;
  }
  meet(round_barrier, options.processes);
  return middle(each, batches);
}

/* `way` of `what` in rounds, of which each has so many parts. */
struct Waiting {
  const char *what, *way;
  void (*run)(long);
  int parts;
};

/* `what [way, style]` for each style: the driver settles which counts when all rounds are over. */
static inline void report_styles(struct Waiting waiting, struct RoundBarrier* round_barrier,
                                 struct LimitOptions options, int me) {
  long round = 0;
  for (int i = 0; i < styles(); i++) {
    char name[64];
    snprintf(name, sizeof name, "%s [%s, %s]", waiting.what, waiting.way, choose_style(i));
    const double taken = time_style(waiting.run, round_barrier, options, &round);
    if (me == 0) report(name, 0, taken / waiting.parts, "ns");
  }
}

#endif
