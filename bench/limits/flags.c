/* Limits of synchronisation: a word that travels between two processes, and a barrier of all of them.
 * Where there are more processes than CPUs a waiting process gives way at once: PERFORMANCE of that is the
 * kernel's. SPDX-License-Identifier: BSD-3-Clause */
#include "limit.h"

enum { max_processes = 1024 };
struct Line {
  _Alignas(pair_bytes) atomic_long flag;
  long data;
};
static struct Shared {
  struct Meeting meeting;
  struct Flag counter, generation;
  struct Line one[2];
  struct Flag data[2];
  struct Line lines[2][max_processes];
  struct Flag signals[16][max_processes];
} * shared;
static int me, processes;
static enum Style {
  hasty,
  restful,
  giving
} style; /* looks again at once; rests a moment before; makes way */
static volatile long sink;

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

/* There and back: data and flag share a line. */
static void ping_one_line(long round) {
  if (me == 0) raise_flag(&shared->one[1].flag, round);
  wait_for(&shared->one[me].flag, round);
  if (me == 1) raise_flag(&shared->one[0].flag, round);
}
static void ping_two_lines(long round) {
  if (me == 1) wait_for(&shared->one[1].flag, round);
  sink = atomic_load_explicit(&shared->data[me].value, memory_order_relaxed);
  atomic_store_explicit(&shared->data[1 - me].value, round, memory_order_relaxed);
  raise_flag(&shared->one[1 - me].flag, round);
  if (me == 0) wait_for(&shared->one[0].flag, round);
}
/* Everybody shows a word to everybody and waits until it has seen all the others'. Two sets of lines take
 * turns, since one that is ahead may already write the next word. */
static void exchange(long round) {
  struct Line* lines = shared->lines[round % 2];
  lines[me].data = round;
  raise_flag(&lines[me].flag, round);
  for (int other = 0; other < processes; other++) {
    wait_for(&lines[other].flag, round);
    sink = lines[other].data;
  }
}
static void barrier_by_counter(long round) {
  if (atomic_fetch_add(&shared->counter.value, 1) == round * processes - 1)
    raise_flag(&shared->generation.value, round);
  else
    wait_for(&shared->generation.value, round);
}
static void barrier_by_dissemination(long round) {
  for (int step = 0; 1 << step < processes; step++) {
    raise_flag(&shared->signals[step][(me + (1 << step)) % processes].value, round);
    wait_for(&shared->signals[step][me].value, round);
  }
}

/* Median over batches of the nanoseconds of one round; the rounds of a function are numbered from 1. */
static double measure_style(void (*run)(long), int quick, long* round) {
  const long rounds = style == giving ? 200 : 2000;
  double each[max_batches];
  meet(&shared->meeting, processes);
  for (int batch = 0; batch < (quick ? 11 : 31); batch++) {
    const double begin = now_ns();
    for (long i = 0; i < rounds; i++) run(++*round);
    each[batch] = (now_ns() - begin) / (double)rounds;
  }
  meet(&shared->meeting, processes);
  return median(each, quick ? 11 : 31);
}

/* The better way to wait. All processes decide alike, since only process 0's figure is printed. */
static double measure(void (*run)(long), int quick) {
  const int crowded = patience == 0;
  long round = 0;
  style = crowded ? giving : hasty;
  const double first = measure_style(run, quick, &round);
  style = crowded ? giving : restful;
  const double second = measure_style(run, quick, &round);
  return first < second ? first : second;
}

static void between_two(int quick) {
  const double one = measure(ping_one_line, quick);
  for (int i = 0; i < 2; i++) atomic_store(&shared->one[i].flag, 0);
  const double two = measure(ping_two_lines, quick);
  if (me != 0) return;
  report("ping-pong one line", 0, one / 2, "ns");
  report("ping-pong two lines", 0, two / 2, "ns");
}

static void among_all(int quick) {
  const double counter = measure(barrier_by_counter, quick),
               signals = measure(barrier_by_dissemination, quick);
  const double exchanged = measure(exchange, quick);
  if (me != 0) return;
  report("barrier", 0, counter < signals ? counter : signals, "ns");
  report("exchange", 0, exchanged, "ns");
}

int main(int count, char** arguments) {
  const struct Wishes wishes = read_wishes(count, arguments);
  processes = wishes.processes < max_processes ? wishes.processes : max_processes;
  shared = share(sizeof *shared);
  me = multiply(processes);
  if (processes == 2) between_two(wishes.quick);
  among_all(wishes.quick);
  return finish();
}
