/* Every collective, from 8 B to 4 MiB per PE, and the two ways to meet.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * All PEs rewrite their source before each call and read their target after it; the time is that from the
 * first entry to the last exit. */
#include "dialect.h"

enum { most_bytes = 4 * MIB, most_gathered = 32 * MIB };

static void barrier_all(const struct measure* m, long calls) {
  (void)m;
  while (calls-- > 0) shmem_barrier_all();
}
static void sync_all(const struct measure* m, long calls) {
  (void)m;
  while (calls-- > 0) shmem_sync_all();
}

/* One function for each collective: from the measure's source to its target, once. */
#define COLLECTIVE(name, call)                                 \
  static void name(const struct measure* m, long calls) {      \
    (void)calls;                                               \
    long *target = m->target.start, *source = m->source.start; \
    const size_t words = m->bytes / sizeof(long);              \
    call;                                                      \
  }
COLLECTIVE(broadcast, world_broadcast(target, source, words, 0))
COLLECTIVE(collect, world_collect(target, source, words))
COLLECTIVE(fcollect, world_fcollect(target, source, words))
COLLECTIVE(alltoall, world_alltoall(target, source, words))
COLLECTIVE(alltoalls, world_alltoalls(target, source, 1, 2, words))
COLLECTIVE(sum_long, world_sum(target, source, words))
COLLECTIVE(sum_double, world_sum_double((double*)target, (double*)source, words))
COLLECTIVE(max_long, world_max(target, source, words))
COLLECTIVE(and_ulong, world_and((unsigned long*)target, (unsigned long*)source, words))
#if SINCE(1, 6)
COLLECTIVE(inscan, shmem_long_sum_inscan(SHMEM_TEAM_WORLD, target, source, words))
COLLECTIVE(exscan, shmem_long_sum_exscan(SHMEM_TEAM_WORLD, target, source, words))
#endif

/* How many times the bytes lie in each PE's source and target: once, or `pes` times. */
enum { once = 0, per_pe = 1, per_pe_twice = 2 };
static const struct row {
  const char* name;
  void (*run)(const struct measure*, long);
  int source, target;
} rows[] = {
    {"broadcast", broadcast, once, once},
    {"collect", collect, once, per_pe},
    {"fcollect", fcollect, once, per_pe},
    {"alltoall", alltoall, per_pe, per_pe},
    {"alltoalls", alltoalls, per_pe_twice, per_pe},
    {"sum.long", sum_long, once, once},
    {"sum.double", sum_double, once, once},
    {"max.long", max_long, once, once},
    {"and.ulong", and_ulong, once, once},
#if SINCE(1, 6)
    {"inscan.long", inscan, once, once},
    {"exscan.long", exscan, once, once},
#endif
};

static const size_t all_sizes[] = {8, 64, 256, KIB, 4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB, most_bytes};
static const size_t quick_sizes[] = {8, KIB, 16 * KIB, 64 * KIB, 256 * KIB, most_bytes};

/* What fits, and in the quick form what does not take seconds. */
static size_t most_bytes_of(const struct row* r) {
  const int long_winded = bench.crowded || r->source == per_pe_twice;
  if (bench.quick && long_winded) return 256 * KIB;
  return r->target ? most_gathered / (size_t)bench.pes : most_bytes;
}

static void measure_size(size_t bytes, void* source, void* target) {
  for (size_t i = 0; i < LENGTH(rows); i++) {
    const struct row* r = &rows[i];
    const size_t gathered = bytes * (size_t)bench.pes;
    if (bytes > most_bytes_of(r)) continue;
    const size_t read = r->source ? gathered * (size_t)r->source : bytes,
                 written = r->target ? gathered : bytes;
    bench_measure(&(struct measure){.name = r->name,
                                    .unit = "us",
                                    .bytes = bytes,
                                    .run = r->run,
                                    .actors = EVERYBODY,
                                    .single = 1,
                                    .source = {source, read, EVERYBODY},
                                    .target = {target, written, EVERYBODY}});
  }
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 1);
  world_begin(most_bytes / sizeof(long));
  void *source = bench_allocate(2 * (size_t)most_gathered), *target = bench_allocate(most_gathered);
  bench_measure(
      &(struct measure){.name = "barrier_all", .unit = "us", .run = barrier_all, .actors = EVERYBODY});
  bench_measure(&(struct measure){.name = "sync_all", .unit = "us", .run = sync_all, .actors = EVERYBODY});
  const size_t* sizes = bench.quick ? quick_sizes : all_sizes;
  const size_t count = bench.quick ? LENGTH(quick_sizes) : LENGTH(all_sizes);
  for (size_t i = 0; i < count; i++) measure_size(sizes[i], source, target);
  shmem_finalize();
  return 0;
}
