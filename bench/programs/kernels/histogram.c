/* Histogram: every PE counts into bins that lie on all PEs (bale's histo, the atomic version).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "kernel.h"

static long *bins, *own, **shared;
static size_t bins_each, throws;
static struct place* places;

/* What the loop needs lies in registers: around atomics, compilers would read global variables again and
 * again. */
#define COUNT(name, work)                                                            \
  static void name(const struct measure* m, long calls) {                            \
    long *const all = bins, *const mine = own, *const *const copies = shared;        \
    for (const struct place *p = places, *end = places + throws; p < end; p++) work; \
    shmem_barrier_all();                                                             \
    (void)all, (void)mine, (void)copies, (void)m, (void)calls;                       \
  }
COUNT(count, shmem_long_atomic_inc(&all[p->at], p->pe))
COUNT(count_own, __atomic_fetch_add(&mine[p->at], 1, __ATOMIC_RELAXED))
COUNT(count_by_hand, __atomic_fetch_add(&copies[p->pe][p->at], 1, __ATOMIC_RELAXED))

static int all_counted(void) {
  long mine = 0;
  shmem_barrier_all();
  memset(bins, 0, bins_each * sizeof *bins);
  shmem_barrier_all();
  count(NULL, 1);
  for (size_t i = 0; i < bins_each; i++) mine += bins[i];
  return sum_of(mine) == (long)throws * bench.pes;
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 1);
  world_begin(1);
  bins_each = bench.quick ? 1 << 17 : 1 << 20;
  throws = kernel_size(1 << 19, 1 << 16, 1 << 12);
  bins = bench_allocate(bins_each * sizeof *bins);
  memset(bins, 0, bins_each * sizeof *bins);
  own = private_memory(bins_each * sizeof *own);
  places = choose_places(throws, bins_each);
  shared = (long**)copies_of(bins);
  measure_kernel("histogram", count, (double)throws);
  measure_kernel("histogram.roofline", count_own, (double)throws);
  if (shared) measure_kernel("histogram.by_hand", count_by_hand, (double)throws);
  return kernel_end(all_counted(), "histogram: not every throw was counted");
}
