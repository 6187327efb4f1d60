/* Between two nodes: what an endpoint for each PE is worth beside endpoints that PEs share (ATRIUM_ENDPOINTS).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every PE talks to the one that is half of all further, all of them at once, with the CPUs that there are. `private_memory`:
 * of all PEs together, after each has reached its peer. The others: us of a call, of many that all PEs begin and end
 * together; with `.private` from or into memory that is not symmetric. */
#include "../measure.h"

enum { words = 1 << 17, large = 1 << 20, rounds = 7 };

static long x[words], y[words];

/* Private_Dirty of this process, in MB. */
static double private_memory(void) {
  char line[256];
  long kib = 0;
  FILE* const file = fopen("/proc/self/smaps_rollup", "r");
  while (file && fgets(line, sizeof line, file) && sscanf(line, "Private_Dirty: %ld", &kib) != 1) {
  }
  if (file) fclose(file);
  return (double)kib / 1024;
}

static void report_memory(int to) {
  static double mine, sum;
  shmem_long_p(x, 1, to);
  shmem_barrier_all();
  mine = private_memory();
  shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
  bench_report("private_memory", 0, sum, "MB");
}

/* The least of a few rounds: the machine may be busy with other things. */
#define ROW(name, bytes, calls, call)                         \
  do {                                                        \
    double least = 1e30;                                      \
    for (int round = 0; round < rounds; ++round) {            \
      shmem_barrier_all();                                    \
      const double begin = now_ns();                          \
      for (int i = 0; i < (calls); ++i) call;                 \
      shmem_quiet();                                          \
      shmem_barrier_all();                                    \
      const double took = (now_ns() - begin) / 1e3 / (calls); \
      if (took < least) least = took;                         \
    }                                                         \
    bench_report(name, bytes, least, "us");                   \
  } while (0)

static void p_quiet(int to) {
  shmem_long_p(x, 1, to);
  shmem_quiet();
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 2);
  const int to = (shmem_my_pe() + bench.pes / 2) % bench.pes;
  char* const mine = calloc(1, large);
  static long olds[500];
  report_memory(to);
  ROW("barrier", 0, 50, shmem_barrier_all());
  ROW("g", 8, 100, bench_sink += (unsigned long)shmem_long_g(x, to));
  ROW("p_quiet", 8, 100, p_quiet(to));
  ROW("fetch_add", 8, 100, bench_sink += (unsigned long)shmem_long_atomic_fetch_add(x, 1, to));
  ROW("p.stream", 8, 2000, shmem_long_p(x + i, i, to));
  ROW("put.stream", 64, 2000, shmem_putmem(x + 8 * i, mine, 64, to));
  ROW("fetch_add_nbi.stream", 8, 500, shmem_long_atomic_fetch_add_nbi(olds + i, x, 1, to));
  ROW("get_nbi.stream", 64, 500, shmem_getmem_nbi(y + 8 * i, x, 64, to));
  ROW("put.stream", large / 16, 50, shmem_putmem(x, y, large / 16, to));
  ROW("put.stream.private", large / 16, 50, shmem_putmem(x, mine, large / 16, to));
  ROW("get.stream", large, 5, shmem_getmem(y, x, large, to));
  ROW("get.stream.private", large, 5, shmem_getmem(mine, x, large, to));
  free(mine);
  shmem_finalize();
  return 0;
}
