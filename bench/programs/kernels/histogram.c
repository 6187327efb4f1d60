/* Histogram: every PE counts into bins that lie on all PEs (bale's histo, the atomic version).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "kernel.h"

static long *bins, *own, **shared, rounds;
static size_t bins_each, throws;
static struct place* places;

static void count(const struct measure* m, long calls) {
  (void)m, (void)calls;
  for (size_t i = 0; i < throws; i++) shmem_long_atomic_inc(&bins[places[i].at], places[i].pe);
  rounds++;
  shmem_barrier_all();
}

static void count_own(const struct measure* m, long calls) {
  (void)m, (void)calls;
  for (size_t i = 0; i < throws; i++) __atomic_fetch_add(&own[places[i].at], 1, __ATOMIC_RELAXED);
  shmem_barrier_all();
}

static void count_by_hand(const struct measure* m, long calls) {
  (void)m, (void)calls;
  for (size_t i = 0; i < throws; i++)
    __atomic_fetch_add(&shared[places[i].pe][places[i].at], 1, __ATOMIC_RELAXED);
  rounds++;
  shmem_barrier_all();
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 1);
  world_begin(1);
  bins_each = bench.quick ? 1 << 17 : 1 << 20;
  throws = bench.quick ? 1 << 16 : 1 << 19;
  bins = bench_allocate(bins_each * sizeof *bins);
  memset(bins, 0, bins_each * sizeof *bins);
  own = private_memory(bins_each * sizeof *own);
  places = choose_places(throws, bins_each);
  shared = (long**)copies_of(bins);
  measure_kernel("histogram", count, (double)throws);
  measure_kernel("histogram.roofline", count_own, (double)throws);
  if (shared) measure_kernel("histogram.by_hand", count_by_hand, (double)throws);
  long mine = 0;
  for (size_t i = 0; i < bins_each; i++) mine += bins[i];
  return kernel_end(sum_of(mine) == rounds * (long)throws * bench.pes,
                    "histogram: not every throw was counted");
}
