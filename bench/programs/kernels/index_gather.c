/* Index-gather: every PE reads words from anywhere in a table that lies on all PEs (bale's ig). The
 * table is rewritten between the rounds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "kernel.h"

static long *table, *own, *gathered, **shared;
static size_t words_each, reads;
static struct place* places;

static long content(int pe, size_t word) { return (long)word * bench.pes + pe + 1; }

/* What the loop needs lies in registers: around atomics, compilers would read global variables again and
 * again. */
#define GATHER(name, word)                                                                  \
  static void name(const struct measure* m, long calls) {                                   \
    long *const all = table, *const mine = own, *const *const copies = shared;              \
    long* to = gathered;                                                                    \
    for (const struct place *p = places, *end = places + reads; p < end; p++) *to++ = word; \
    shmem_barrier_all();                                                                    \
    (void)all, (void)mine, (void)copies, (void)m, (void)calls;                              \
  }
GATHER(gather, shmem_long_g(&all[p->at], p->pe))
GATHER(gather_own, mine[p->at])
GATHER(gather_by_hand, copies[p->pe][p->at])

/* As programs do that know the next reads already. */
static void gather_nbi(const struct measure* m, long calls) {
  long *const all = table, *to = gathered;
  for (const struct place *p = places, *end = places + reads; p < end; p++)
    shmem_long_get_nbi(to++, &all[p->at], 1, p->pe);
  shmem_quiet();
  shmem_barrier_all();
  (void)m, (void)calls;
}

static int is_right_by(void (*way)(const struct measure*, long)) {
  memset(gathered, 0, reads * sizeof *gathered);
  for (size_t i = 0; i < words_each; i++) table[i] = content(bench.me, i);
  shmem_barrier_all();
  way(NULL, 1);
  for (size_t i = 0; i < reads; i++)
    if (gathered[i] != content(places[i].pe, (size_t)places[i].at)) return 0;
  return 1;
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 1);
  world_begin(1);
  words_each = bench.quick ? 1 << 17 : 1 << 20;
  reads = kernel_size(1 << 19, 1 << 16, 1 << 11);
  table = bench_allocate(words_each * sizeof *table);
  own = private_memory(words_each * sizeof *own);
  gathered = private_memory(reads * sizeof *gathered);
  places = choose_places(reads, words_each);
  shared = (long**)copies_of(table);
  const size_t bytes = words_each * sizeof *table;
  const struct buffer all = {table, bytes, EVERYBODY}, mine = {own, bytes, EVERYBODY};
  const struct buffer to = {gathered, reads * sizeof *gathered, EVERYBODY};
  measure_kernel_on("index_gather", gather, (double)reads, all, to);
  measure_kernel_on("index_gather.roofline", gather_own, (double)reads, mine, to);
  if (shared) measure_kernel_on("index_gather.by_hand", gather_by_hand, (double)reads, all, to);
#ifdef BENCH_BETWEEN_NODES
  measure_kernel_on("index_gather.nbi", gather_nbi, (double)reads, all, to);
#endif
  return kernel_end(is_right_by(gather) && is_right_by(gather_nbi), "index_gather: read something else");
}
