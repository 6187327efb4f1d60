/* What the kernels share: dice, memory of one's own, and a figure with its roofline.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A roofline is the same kernel, with the same number of processes at work at the same time, on memory that
 * each has for itself, by the processor's own loads, stores and atomics. Together those memories are as large
 * as the shared one. What is done `by_hand` is done on the shared memory, by the same instructions through
 * shmem_ptr: the difference between the two is what the hardware takes for sharing. */
#ifndef BENCH_KERNEL_H
#define BENCH_KERNEL_H

#define _DEFAULT_SOURCE /* for madvise and aligned_alloc */
#include <sched.h>
#include <stdint.h>
#include <sys/mman.h>

#include "../dialect.h"

/* Zeroed, and with 2 MiB pages where the system gives them when asked, since the symmetric heap may have
 * them. */
static inline void* private_memory(size_t bytes) {
  const size_t rounded = (bytes + 2 * MIB - 1) / (2 * MIB) * (2 * MIB);
  void* memory = aligned_alloc(2 * MIB, rounded);
  if (memory == NULL) shmem_global_exit(1);
#ifdef MADV_HUGEPAGE
  madvise(memory, rounded, MADV_HUGEPAGE);
#endif
  return memset(memory, 0, rounded);
}

/* How many of whatever a kernel does: fewer in the quick form, and few between nodes (bench/plans/fabric.py), where one takes
 * a thousand times as long. */
static inline size_t kernel_size(size_t full, size_t quick, size_t between) {
#ifdef BENCH_BETWEEN_NODES
  (void)full, (void)quick;
  return between;
#else
  (void)between;
  return bench.quick ? quick : full;
#endif
}

/* splitmix64: other dice for each seed. */
static inline uint64_t throw_dice(uint64_t* state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}
static inline uint64_t own_dice(void) { return 0x1234567u * ((uint64_t)bench.me + 1); }

/* A number below `range`, which is below 2^32. */
static inline uint64_t below(uint64_t dice, uint64_t range) { return (dice >> 32) * range >> 32; }

/* Where I see each PE's copy, for what is done by hand; NULL where the library does not tell. */
static inline void** copies_of(void* symmetric) {
  void** copies = private_memory((size_t)bench.pes * sizeof *copies);
  for (int pe = 0; pe < bench.pes; pe++)
    if ((copies[pe] = shmem_ptr(symmetric, pe)) == NULL) return NULL;
  return copies;
}

/* Somewhere in a table that has `each` elements on every PE. */
struct place {
  int32_t pe, at;
};
static inline struct place* choose_places(size_t count, size_t each) {
  struct place* places = private_memory(count * sizeof *places);
  uint64_t state = own_dice();
  for (size_t i = 0; i < count; i++) {
    const int32_t pe = (int32_t)below(throw_dice(&state), (uint64_t)bench.pes);
    places[i] = (struct place){pe, (int32_t)below(throw_dice(&state), each)};
  }
  return places;
}

/* All PEs run it; `operations` in a call, for each PE. Before each call everybody rewrites the source and
 * reads the target, which kernels need that change neither themselves. */
static inline void measure_kernel_on(const char* name, void (*run)(const struct measure*, long),
                                     double operations, struct buffer source, struct buffer target) {
  bench_measure(&(struct measure){.name = name,
                                  .unit = "Mop/s",
                                  .run = run,
                                  .actors = EVERYBODY,
                                  .single = 1,
                                  .steps = operations,
                                  .source = source,
                                  .target = target});
}
static inline void measure_kernel(const char* name, void (*run)(const struct measure*, long),
                                  double operations) {
  const struct buffer none = {NULL, 0, NOBODY};
  measure_kernel_on(name, run, operations, none, none);
}

/* Collective. The sum over all PEs, on each. */
static inline long sum_of(long mine) {
  static long source, target;
  source = mine;
  shmem_barrier_all();
  world_sum(&target, &source, 1);
  shmem_barrier_all();
  return target;
}

/* Collective: the last call of a kernel. PE 0 says what is wrong; the exit status. */
static inline int kernel_end(int right, const char* what_is_wrong) {
  const long wrong = sum_of(!right);
  if (wrong && bench.me == 0) fprintf(stderr, "%s, on %ld PEs\n", what_is_wrong, wrong);
  shmem_finalize();
  return wrong ? 1 : 0;
}

#endif
