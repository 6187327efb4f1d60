/* Between two hosts: an operation and its answer, streams of small ones, and bandwidth, from PE 0 to the last PE.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "../measure.h"

enum { in_stream = 1024, most_bytes = 4 * MIB };

static long *words, *block;
static char* here;
static int there; /* the PE of the other host */

#define EACH(name, work)                                  \
  static void name(const struct measure* m, long calls) { \
    const size_t bytes = m->bytes;                        \
    while (calls-- > 0) {                                 \
      work;                                               \
    }                                                     \
    (void)bytes;                                          \
  }
EACH(p_quiet, (shmem_long_p(words, calls, there), shmem_quiet()))
EACH(g, bench_sink += (unsigned long)shmem_long_g(words, there))
EACH(fetch_add, bench_sink += (unsigned long)shmem_long_atomic_fetch_add(words, 1, there))
EACH(put_quiet, (shmem_putmem(block, here, bytes, there), shmem_quiet()))
EACH(get, shmem_getmem(here, block, bytes, there))

/* A word thrown to the last PE and back. */
static long thrown;
static void p_wait_until(const struct measure* m, long calls) {
  static long turn;
  const int last = bench.me == there;
  (void)m;
  if (!last && bench.me != 0) return;
  while (calls-- > 0) {
    ++turn;
    if (last) shmem_long_wait_until(&thrown, SHMEM_CMP_GE, turn);
    shmem_long_p(&thrown, turn, last ? 0 : there);
    if (!last) shmem_long_wait_until(&thrown, SHMEM_CMP_GE, turn);
  }
}

#define STREAM(name, work)                                \
  static void name(const struct measure* m, long calls) { \
    (void)m;                                              \
    while (calls-- > 0) {                                 \
      for (long i = 0; i < in_stream; ++i) work;          \
      shmem_quiet();                                      \
    }                                                     \
  }
STREAM(p_stream, shmem_long_p(&words[i], i, there))
STREAM(put_stream, shmem_putmem(&block[8 * i], here, 64, there))
STREAM(add_stream, shmem_long_atomic_add(&words[i], 1, there))
#if SINCE(1, 5)
static long fetched[in_stream];
STREAM(fetch_add_nbi_stream, shmem_long_atomic_fetch_add_nbi(&fetched[i], &words[i], 1, there))
#endif

static void measure(const char* name, void (*run)(const struct measure*, long), size_t bytes,
                    const char* unit, int actors, double steps) {
  bench_measure(&(struct measure){.name = name,
                                  .unit = unit,
                                  .bytes = bytes,
                                  .run = run,
                                  .actors = actors,
                                  .source = {here, bytes, 0},
                                  .target = {block, bytes, there},
                                  .steps = steps});
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 2);
  there = bench.pes - 1;
  words = bench_allocate(in_stream * sizeof *words);
  block = bench_allocate(most_bytes);
  here = malloc(most_bytes);
  if (here == NULL) return 1;
  memset(here, 1, most_bytes);
  measure("p_quiet", p_quiet, 8, "us", 1, 0);
  measure("g", g, 8, "us", 1, 0);
  measure("fetch_add", fetch_add, 8, "us", 1, 0);
  measure("put_quiet", put_quiet, 4 * KIB, "us", 1, 0);
  measure("get", get, 4 * KIB, "us", 1, 0);
  measure("p_wait_until", p_wait_until, 8, "us", EVERYBODY, 0);
  measure("p.stream", p_stream, 8, "us", 1, in_stream);
  measure("put.stream", put_stream, 64, "us", 1, in_stream);
  measure("atomic_add.stream", add_stream, 8, "us", 1, in_stream);
#if SINCE(1, 5)
  measure("fetch_add_nbi.stream", fetch_add_nbi_stream, 8, "us", 1, in_stream);
#endif
  for (size_t bytes = 16 * KIB; bytes <= most_bytes; bytes *= bytes < 64 * KIB ? 4 : bytes < MIB ? 16 : 4) {
    measure("put.bandwidth", put_quiet, bytes, "GB/s", 1, 0);
    measure("get.bandwidth", get, bytes, "GB/s", 1, 0);
  }
  shmem_finalize();
  free(here);
  return 0;
}
