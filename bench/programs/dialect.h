/* The collectives over all PEs, in words of 8 bytes, said in the dialect of the library: with teams since
 * OpenSHMEM 1.5, with active sets before, so that libraries of both kinds run the same programs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Requires, as active sets do: a barrier between two calls, and world_begin once, by all PEs. */
#ifndef BENCH_DIALECT_H
#define BENCH_DIALECT_H

#include "measure.h"

#if SINCE(1, 5)

#define OLD_OR_NEW(old, new) new
static inline void world_begin(size_t most_words) { (void)most_words; }

#else

#define OLD_OR_NEW(old, new) old
static long world_sync[SHMEM_COLLECT_SYNC_SIZE];
static void* world_work;

static inline void world_begin(size_t most_words) {
  for (int i = 0; i < SHMEM_COLLECT_SYNC_SIZE; i++) world_sync[i] = SHMEM_SYNC_VALUE;
  world_work = bench_allocate((most_words / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE) * sizeof(long));
  shmem_barrier_all();
}

#endif

static inline void world_broadcast(long* target, const long* source, size_t words, int root) {
  OLD_OR_NEW(shmem_broadcast64(target, source, words, root, 0, 0, bench.pes, world_sync),
             shmem_long_broadcast(SHMEM_TEAM_WORLD, target, source, words, root));
}

static inline void world_collect(long* target, const long* source, size_t words) {
  OLD_OR_NEW(shmem_collect64(target, source, words, 0, 0, bench.pes, world_sync),
             shmem_long_collect(SHMEM_TEAM_WORLD, target, source, words));
}

static inline void world_fcollect(long* target, const long* source, size_t words) {
  OLD_OR_NEW(shmem_fcollect64(target, source, words, 0, 0, bench.pes, world_sync),
             shmem_long_fcollect(SHMEM_TEAM_WORLD, target, source, words));
}

static inline void world_alltoall(long* target, const long* source, size_t words) {
  OLD_OR_NEW(shmem_alltoall64(target, source, words, 0, 0, bench.pes, world_sync),
             shmem_long_alltoall(SHMEM_TEAM_WORLD, target, source, words));
}

static inline void world_alltoalls(long* target, const long* source, ptrdiff_t step, ptrdiff_t source_step,
                                   size_t words) {
  OLD_OR_NEW(shmem_alltoalls64(target, source, step, source_step, words, 0, 0, bench.pes, world_sync),
             shmem_long_alltoalls(SHMEM_TEAM_WORLD, target, source, step, source_step, words));
}

static inline void world_sum(long* target, const long* source, size_t words) {
  OLD_OR_NEW(
      shmem_long_sum_to_all(target, (long*)source, (int)words, 0, 0, bench.pes, world_work, world_sync),
      shmem_long_sum_reduce(SHMEM_TEAM_WORLD, target, source, words));
}

static inline void world_sum_double(double* target, const double* source, size_t words) {
  OLD_OR_NEW(
      shmem_double_sum_to_all(target, (double*)source, (int)words, 0, 0, bench.pes, world_work, world_sync),
      shmem_double_sum_reduce(SHMEM_TEAM_WORLD, target, source, words));
}

static inline void world_max(long* target, const long* source, size_t words) {
  OLD_OR_NEW(
      shmem_long_max_to_all(target, (long*)source, (int)words, 0, 0, bench.pes, world_work, world_sync),
      shmem_long_max_reduce(SHMEM_TEAM_WORLD, target, source, words));
}

static inline void world_and(unsigned long* target, const unsigned long* source, size_t words) {
  OLD_OR_NEW(shmem_long_and_to_all((long*)target, (long*)source, (int)words, 0, 0, bench.pes, world_work,
                                   world_sync),
             shmem_ulong_and_reduce(SHMEM_TEAM_WORLD, target, source, words));
}

#endif
