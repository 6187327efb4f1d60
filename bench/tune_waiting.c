/* How long PEs wait for each other: a barrier, a sum, a token that goes round, a lock. What
 * bench/tune_waiting.py runs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * tune_waiting MILLISECONDS            each measurement takes about so long; one line: name, microseconds */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long token, mutex, counter, agreed;
static long source[1], dest[2][1];
static int me, pes;

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + (double)t.tv_nsec / 1e3;
}

static void barriers(long times) {
  while (times-- > 0) shmem_barrier_all();
}
static void sums(long times) {
  for (; times > 0; times--) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest[times % 2], source, 1);
}
/* From neighbour to neighbour: one runs, all others wait. A turn is one hand-over. */
static void tokens(long times) {
  static long lap;
  for (long begin = lap; lap < begin + times; lap++) {
    if (me != 0) shmem_long_wait_until(&token, SHMEM_CMP_GE, lap + 1);
    shmem_long_p(&token, lap + 1, (me + 1) % pes);
    if (me == 0) shmem_long_wait_until(&token, SHMEM_CMP_GE, lap + 1);
  }
}
static void locks(long times) {
  for (; times > 0; times--) {
    shmem_set_lock(&mutex);
    shmem_long_p(&counter, shmem_long_g(&counter, 0) + 1, 0);
    shmem_clear_lock(&mutex);
  }
}

static double measure(void (*run)(long), long times) {
  shmem_barrier_all();
  const double begin = now_us();
  run(times);
  shmem_barrier_all();
  return (now_us() - begin) / (double)times;
}

static void report(const char* name, void (*run)(long), int turns_each, double budget_us) {
  if (me == 0)
    agreed = 1 + (long)(budget_us / 5 / (measure(run, 3) + 0.1));
  else
    measure(run, 3);
  shmem_barrier_all();
  const long times = shmem_long_g(&agreed, 0);
  double best = 1e30;
  for (int i = 0; i < 5; i++) {
    const double us = measure(run, times);
    if (us < best) best = us;
  }
  if (me == 0) printf("%s\t%.3f\n", name, best / turns_each);
}

int main(int argc, char** argv) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  const double budget_us = 1e3 * (argc > 1 ? atof(argv[1]) : 100);
  report("barrier", barriers, 1, budget_us);
  report("sum", sums, 1, budget_us);
  report("token", tokens, pes, budget_us);
  report("lock", locks, pes, budget_us);
  shmem_finalize();
  return 0;
}
