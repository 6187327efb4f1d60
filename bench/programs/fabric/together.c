/* Barriers, and collectives each followed by one, of PEs on two hosts.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The barrier behind a collective makes all PEs begin the next one together; without it a root, which waits for nobody,
 * would be timed. */
#include "../dialect.h"

enum { most_bytes = 64 * KIB };

static void barrier(const struct measure* m, long calls) {
  (void)m;
  while (calls-- > 0) shmem_barrier_all();
}

#define COLLECTIVE(name, call)                                 \
  static void name(const struct measure* m, long calls) {      \
    long *target = m->target.start, *source = m->source.start; \
    const size_t words = m->bytes / sizeof(long);              \
    while (calls-- > 0) {                                      \
      call;                                                    \
      shmem_barrier_all();                                     \
    }                                                          \
  }
COLLECTIVE(sum, world_sum(target, source, words))
COLLECTIVE(fcollect, world_fcollect(target, source, words))
COLLECTIVE(broadcast, world_broadcast(target, source, words, 0))
COLLECTIVE(alltoall, world_alltoall(target, source, words))

static const struct {
  const char* name;
  void (*run)(const struct measure*, long);
} rows[] = {{"sum", sum}, {"fcollect", fcollect}, {"broadcast", broadcast}, {"alltoall", alltoall}};

int main(int argc, char** argv) {
  static const size_t sizes[] = {8, KIB, most_bytes};
  bench_begin(argc, argv, 1);
  world_begin(most_bytes);
  long* source = bench_allocate((size_t)bench.pes * most_bytes);
  long* target = bench_allocate((size_t)bench.pes * most_bytes);
  memset(source, 1, (size_t)bench.pes * most_bytes);
  bench_measure(&(struct measure){.name = "barrier", .unit = "us", .run = barrier, .actors = EVERYBODY});
  for (size_t i = 0; i < LENGTH(sizes); i++)
    for (size_t row = 0; row < LENGTH(rows); row++)
      bench_measure(&(struct measure){.name = rows[row].name,
                                      .unit = "us",
                                      .bytes = sizes[i],
                                      .run = rows[row].run,
                                      .actors = EVERYBODY,
                                      .source = {source, sizes[i], EVERYBODY},
                                      .target = {target, sizes[i], EVERYBODY}});
  shmem_finalize();
  return 0;
}
