/* Index-gather: every PE reads words from anywhere in a table that lies on all PEs (bale's ig).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "kernel.h"

static long *table, *own, *gathered, **shared;
static size_t words_each, reads;
static struct place* places;

static long content(int pe, size_t word) { return (long)word * bench.pes + pe + 1; }

static void gather(const struct measure* m, long calls) {
  (void)m, (void)calls;
  for (size_t i = 0; i < reads; i++) gathered[i] = shmem_long_g(&table[places[i].at], places[i].pe);
  shmem_barrier_all();
}

static void gather_own(const struct measure* m, long calls) {
  (void)m, (void)calls;
  for (size_t i = 0; i < reads; i++) gathered[i] = own[places[i].at];
  shmem_barrier_all();
}

static void gather_by_hand(const struct measure* m, long calls) {
  (void)m, (void)calls;
  for (size_t i = 0; i < reads; i++) gathered[i] = shared[places[i].pe][places[i].at];
  shmem_barrier_all();
}

static int all_right(void) {
  memset(gathered, 0, reads * sizeof *gathered);
  gather(NULL, 1);
  for (size_t i = 0; i < reads; i++)
    if (gathered[i] != content(places[i].pe, (size_t)places[i].at)) return 0;
  return 1;
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 1);
  world_begin(1);
  words_each = bench.quick ? 1 << 17 : 1 << 20;
  reads = bench.quick ? 1 << 16 : 1 << 19;
  table = bench_allocate(words_each * sizeof *table);
  for (size_t i = 0; i < words_each; i++) table[i] = content(bench.me, i);
  own = private_memory(words_each * sizeof *own);
  gathered = private_memory(reads * sizeof *gathered);
  places = choose_places(reads, words_each);
  shared = (long**)copies_of(table);
  measure_kernel("index_gather", gather, (double)reads);
  measure_kernel("index_gather.roofline", gather_own, (double)reads);
  if (shared) measure_kernel("index_gather.by_hand", gather_by_hand, (double)reads);
  return kernel_end(all_right(), "index_gather: read something else");
}
