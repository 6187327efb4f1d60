/* Rounds as bench/programs/measure.h makes them, without a library: in each, the owners rewrite their sources
 * and read their targets outside of what is timed, all meet, and from an instant that process 0 names each
 * does its work once. A round lasts from the first entry to the last exit; the figure is the middle of the
 * rounds after the warm-up.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCH_ROUNDS_H
#define BENCH_ROUNDS_H

#include "limit.h"

enum { max_rounds = 1000, warm_up_rounds = 2, max_processes = 512 };

struct TimedTask {
  void (*run)(size_t bytes);
  size_t bytes;
  int actors;         /* processes 0 to actors-1 do it */
  char *dirty, *read; /* rewritten and read by this process before each round; NULL: not by this one */
  size_t dirty_bytes, read_bytes;
};

/* On a line of its own: process 0 reads it when the round is over, nobody during it. */
struct Stamps {
  _Alignas(pair_bytes) double entry;
  double leave;
};

static struct RoundBoard {
  struct RoundBarrier round_barrier;
  _Alignas(pair_bytes) double start; /* 0: it is over */
  struct Stamps stamps[max_processes];
} * board;
static int me, processes, crowded, quick;
static volatile unsigned long sink;

static inline void rounds_begin(struct LimitOptions options) {
  processes = options.processes < max_processes ? options.processes : max_processes;
  crowded = processes > usable_cpus();
  quick = options.quick;
  board = share(sizeof *board);
}

static inline void rewrite(char* memory, size_t bytes) {
  static unsigned long generation = 1;
  unsigned long* words = (unsigned long*)memory;
  generation++;
  for (size_t i = 0; i < bytes / sizeof *words; i++) words[i] = generation + i;
}

static inline void read_all(const char* memory, size_t bytes) {
  const unsigned long* words = (const unsigned long*)memory;
  unsigned long sum = 0;
  for (size_t i = 0; i < bytes / sizeof *words; i++) sum += words[i];
  sink = sum;
}

static inline void act(const struct TimedTask* task) {
  if (me >= task->actors) return;
  double entry;
  do entry = now_ns();
  while (entry < board->start);
  task->run(task->bytes);
  const double leave = now_ns();
  board->stamps[me].entry = entry;
  board->stamps[me].leave = leave;
}

static inline double duration(const struct TimedTask* task) {
  double entry = board->stamps[0].entry, leave = board->stamps[0].leave;
  for (int i = 1; i < task->actors; i++) {
    const struct Stamps* stamps = &board->stamps[i];
    if (stamps->entry < entry) entry = stamps->entry;
    if (stamps->leave > leave) leave = stamps->leave;
  }
  return leave - entry;
}

/* All processes call it with the same task but their own buffers; process 0 gets the nanoseconds. */
static inline double time_rounds(const struct TimedTask* task) {
  static double took[max_rounds];
  const double patience = quick ? 3e6 : 15e6, begin = now_ns();
  const int enough = warm_up_rounds + (quick ? 3 : 7);
  int rounds = 0;
  for (;; rounds++) {
    meet(&board->round_barrier, processes); /* nothing is prepared while somebody still works */
    if (task->read) read_all(task->read, task->read_bytes);
    if (task->dirty) rewrite(task->dirty, task->dirty_bytes);
    meet(&board->round_barrier, processes);
    if (me == 0 && rounds > 0) took[rounds - 1] = duration(task);
    if (me == 0) {
      const int over = rounds == max_rounds || (rounds >= enough && now_ns() - begin > patience);
      board->start = over ? 0 : now_ns() + (crowded ? 0 : 1e4);
    }
    meet(&board->round_barrier, processes);
    if (board->start == 0) break;
    act(task);
  }
  return me == 0
             ? without_the_clock(middle(took + warm_up_rounds, rounds - warm_up_rounds), cost_of_the_clock())
             : 0;
}

#endif
