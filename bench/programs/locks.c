/* A lock taken and given back: by one PE, and by all of them at once.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Who holds the contended lock adds to a counter of PE 0 without atomics, so that a lock that lets two in is
 * found out. The figure is the time from one PE's turn to the next one's. */
#include "measure.h"

static long lock, counter, turns;

static void pair(const struct measure* m, long calls) {
  (void)m;
  while (calls-- > 0) {
    shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
  }
}

static void counting_pair(const struct measure* m, long calls) {
  (void)m;
  turns += calls;
  while (calls-- > 0) {
    shmem_set_lock(&lock);
    shmem_long_p(&counter, shmem_long_g(&counter, 0) + 1, 0);
    shmem_clear_lock(&lock);
  }
}

/* PE 0: did nobody overwrite another's addition? */
static int all_counted(void) {
  long sum = 0;
  for (int pe = 0; pe < bench.pes; pe++) sum += shmem_long_g(&turns, pe);
  if (sum != counter) fprintf(stderr, "locks: %ld turns, but the counter is %ld\n", sum, counter);
  return sum == counter;
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 1);
  bench_measure(&(struct measure){.name = "lock.uncontended", .unit = "ns", .run = pair, .actors = 1});
  bench_measure(&(struct measure){
      .name = "lock.contended", .unit = "ns", .run = counting_pair, .actors = EVERYBODY, .steps = bench.pes});
  shmem_barrier_all();
  const int right = bench.me != 0 || all_counted();
  shmem_finalize();
  return right ? 0 : 1;
}
