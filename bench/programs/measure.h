/* What the programs share: rounds that PEs begin together, their middle, one line per figure. Standard
 * OpenSHMEM only.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A measure is repeated in rounds. In each round the owner of the source rewrites it and the owner of the
 * target reads it, outside of the timed section; then all PEs meet, PE 0 gives its order (how many calls,
 * beginning when), and the actors make the calls. A round lasts from the first actor's entry to the last
 * one's exit, on the clock that all processes of a node share: no PE's early return and no wait for a late
 * one can hide work. When each PE has a CPU of its own, the order names an instant a little ahead, so that a
 * barrier's uneven exits do not count. Two kinds: `single` makes one call a round, so that every call meets
 * rewritten buffers; the others make as many calls as the clock needs, and their buffers are hot. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* for clock_gettime */
#endif
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../clock.h"

#define SINCE(major, minor) \
  (SHMEM_MAJOR_VERSION > (major) || (SHMEM_MAJOR_VERSION == (major) && SHMEM_MINOR_VERSION >= (minor)))
#define LENGTH(array) (sizeof(array) / sizeof *(array))

enum { NOBODY = -1, EVERYBODY = -2 };
enum { most_rounds = 1000, warm_up_rounds = 2 };
enum { KIB = 1 << 10, MIB = 1 << 20 };

struct buffer {
  void* start;
  size_t bytes;
  int owner; /* a PE, EVERYBODY or NOBODY */
};

struct measure {
  const char* name;
  const char* unit; /* ns, us or ms of a call; GB/s or Mop/s of all actors together */
  size_t bytes;     /* that a call moves; 0 where it has no size */
  void (*run)(const struct measure*, long calls);
  int actors; /* PEs 0 to actors-1 run it; EVERYBODY */
  int single; /* one call a round */
  struct buffer source, target;
  double steps; /* of which a call is made, when the figure is that of one step; 0 is 1 */
};

/* PE 0's order for a round; no calls: the measure is over. */
struct order {
  long calls;
  double start;
};

static struct {
  int me, pes, quick, crowded; /* crowded: fewer CPUs than PEs */
  double clock_ns;             /* what reading the clock costs */
} bench;
static struct order bench_order;
static double bench_stamps[most_rounds][2]; /* this PE's entry and exit */
static volatile unsigned long bench_sink;

/* Until a processor that slept is at its speed, and the launchers of some libraries have finished starting
 * us. */
static inline void wake_the_processor(void) {
  const double begin = now_ns();
  while (now_ns() - begin < 1e8) bench_sink++;
}

/* First call of every program. One that needs more PEs says so and ends with status 1. */
static inline void bench_begin(int argc, char** argv, int pes_needed) {
  shmem_init();
  bench.me = shmem_my_pe();
  bench.pes = shmem_n_pes();
  bench.quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
  bench.crowded = bench.pes > (int)sysconf(_SC_NPROCESSORS_ONLN);
  wake_the_processor();
  bench.clock_ns = cost_of_the_clock();
  const int usable = argc == 1 + bench.quick && bench.pes >= pes_needed;
  if (!usable && bench.me == 0)
    fprintf(stderr, "usage: oshrun -n PES %s [--quick], with at least %d PEs\n", argv[0], pes_needed);
  shmem_barrier_all();
  if (usable) return;
  shmem_finalize();
  exit(1);
}

static inline void bench_report(const char* name, size_t bytes, double value, const char* unit) {
  if (bench.me != 0) return;
  printf("%s\t%zu\t%.4g\t%s\n", name, bytes, value, unit);
  fflush(stdout);
}

/* Symmetric memory, or the end of the job. */
static inline void* bench_allocate(size_t bytes) {
  void* memory = shmem_malloc(bytes);
  if (memory != NULL) return memory;
  fprintf(stderr, "PE %d: no %zu bytes of symmetric memory; try SHMEM_SYMMETRIC_SIZE=1G\n", bench.me, bytes);
  shmem_global_exit(1);
  return NULL;
}

static inline int bench_owns(const struct buffer* b) {
  return b->bytes > 0 && (b->owner == bench.me || b->owner == EVERYBODY);
}

/* Another content each time: as integers small enough to be added up, as doubles normal numbers. */
static inline void bench_rewrite(const struct buffer* b) {
  static unsigned long generation = 1ul << 52;
  unsigned long* words = b->start;
  generation++;
  for (size_t i = 0; i < b->bytes / sizeof *words; i++) words[i] = generation + i;
}

static inline void bench_read(const struct buffer* b) {
  const unsigned long* words = b->start;
  unsigned long sum = 0;
  for (size_t i = 0; i < b->bytes / sizeof *words; i++) sum += words[i];
  bench_sink = sum;
}

/* All PEs prepare their buffers, meet, and get the next order from PE 0. Nothing is prepared before all have done the
 * last order: a PE that only watches would touch its buffers while they are copied. */
static inline long bench_next_order(const struct measure* m, long calls) {
  shmem_barrier_all();
  if (bench_owns(&m->target)) bench_read(&m->target);
  if (bench_owns(&m->source)) bench_rewrite(&m->source);
  shmem_barrier_all();
  if (bench.me == 0) {
    bench_order = (struct order){calls, now_ns() + (bench.crowded ? 0 : 1e4)};
    for (int pe = 1; pe < bench.pes; pe++) shmem_putmem(&bench_order, &bench_order, sizeof bench_order, pe);
  }
  shmem_barrier_all();
  return bench_order.calls;
}

static inline int bench_actors(const struct measure* m) {
  return m->actors == EVERYBODY ? bench.pes : m->actors;
}

/* How long this PE took; the stamps tell PE 0 later how long all did. */
static inline double bench_act(const struct measure* m, double stamps[2]) {
  if (bench.me >= bench_actors(m)) return 0;
  do stamps[0] = now_ns();
  while (stamps[0] < bench_order.start);
  m->run(m, bench_order.calls);
  stamps[1] = now_ns();
  return stamps[1] - stamps[0];
}

/* PE 0 decides about the next round: more calls as long as a round is too short for the clock; none when
 * `patience` is over. */
static inline long bench_decide(const struct measure* m, long calls, double took, int rounds, double begin) {
  const double patience = bench.quick ? 4e6 : 25e6;
  const int enough = warm_up_rounds + (bench.quick ? 3 : 7);
  if (!m->single && took < patience / 60) return took < patience / 600 ? calls * 8 : calls * 2;
  return rounds == most_rounds || (rounds >= enough && now_ns() - begin > patience) ? 0 : calls;
}

/* PE 0: the middle of the rounds after the warm-up, from the first entry to the last exit, in ns. */
static inline double bench_evaluate(const struct measure* m, int rounds) {
  static double entry[most_rounds], leave[most_rounds], theirs[most_rounds][2];
  for (int pe = 0; pe < bench_actors(m); pe++) {
    shmem_getmem(theirs, bench_stamps, (size_t)rounds * sizeof *bench_stamps, pe);
    for (int i = 0; i < rounds; i++) {
      if (pe == 0 || theirs[i][0] < entry[i]) entry[i] = theirs[i][0];
      if (pe == 0 || theirs[i][1] > leave[i]) leave[i] = theirs[i][1];
    }
  }
  for (int i = 0; i < rounds; i++) leave[i] -= entry[i];
  return without_the_clock(middle(leave + warm_up_rounds, rounds - warm_up_rounds), bench.clock_ns);
}

/* Collective. The time of a call in ns, on PE 0. */
static inline double bench_time(const struct measure* m) {
  const double begin = now_ns();
  long calls = 1, last = 0;
  int rounds = 0;
  double took = 0;
  while ((calls = bench_next_order(m, calls)) > 0) {
    if (calls != last) rounds = 0;
    last = calls;
    took = bench_act(m, bench_stamps[rounds++]);
    if (bench.me == 0) calls = bench_decide(m, calls, took, rounds, begin);
  }
  return bench.me == 0 ? bench_evaluate(m, rounds) / (double)last : 0;
}

/* Collective. Measures and prints. */
static inline void bench_measure(const struct measure* m) {
  const double ns = bench_time(m) / (m->steps > 0 ? m->steps : 1), all = bench_actors(m);
  double value = ns;
  if (strcmp(m->unit, "us") == 0) value = ns / 1e3;
  if (strcmp(m->unit, "ms") == 0) value = ns / 1e6;
  if (strcmp(m->unit, "GB/s") == 0) value = all * (double)m->bytes / ns;
  if (strcmp(m->unit, "Mop/s") == 0) value = all * 1e3 / ns;
  bench_report(m->name, m->bytes, value, m->unit);
}

#endif
