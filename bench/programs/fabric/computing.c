/* Between two hosts: how long a read waits for a PE that computes and never calls the library, from PE 0.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * In each round the last PE computes until an instant that all know, and PE 0 reads from it a little later, when
 * whatever served its last call has had time to fall asleep. `g.computing.first` is the first read of a round,
 * `g.computing` the middle of all. A library that answers only when the target calls it makes one read a round, which
 * takes what is left of the computing. */
#include "../measure.h"

enum { most_reads = 4096 };

static long word;
static double end_of_computing; /* set by PE 0; processes of a machine share the clock */

static void compute(double until) {
  while (now_ns() < until)
    for (int i = 0; i < 100000; ++i) bench_sink = bench_sink * 3 + 1;
}

/* Until the target surely computes. No call of the library meanwhile. */
static void let_it_begin(double length) {
  nanosleep(&(struct timespec){.tv_nsec = (long)(length / 10)}, NULL);
}

/* The first read's duration; the middle of all in *median. */
static double read_repeatedly(double until, double* median) {
  static double took[most_reads];
  int reads = 0;
  double first = 0;
  do {
    const double begin = now_ns();
    bench_sink += (unsigned long)shmem_long_g(&word, bench.pes - 1);
    took[reads++] = now_ns() - begin; /* and the clock's 30 ns, of several thousand */
    if (reads == 1) first = took[0];
  } while (reads < most_reads && now_ns() < until);
  *median = middle(took, reads); /* it sorts them */
  return first;
}

static void one_round(double length, double* first, double* median) {
  if (bench.me == 0) {
    end_of_computing = now_ns() + length;
    for (int pe = 1; pe < bench.pes; pe++) shmem_double_p(&end_of_computing, end_of_computing, pe);
  }
  shmem_barrier_all();
  if (bench.me == bench.pes - 1) compute(end_of_computing);
  if (bench.me == 0) {
    let_it_begin(length);
    *first = read_repeatedly(end_of_computing - length / 10, median);
  }
  shmem_barrier_all();
}

int main(int argc, char** argv) {
  bench_begin(argc, argv, 2);
  const int rounds = bench.quick ? 2 : 5;
  const double length = bench.quick ? 0.2e9 : 1e9;
  double first[5], median[5];
  for (int round = 0; round < rounds; ++round) one_round(length, &first[round], &median[round]);
  if (bench.me == 0) {
    bench_report("g.computing", 8, middle(median, rounds) / 1e3, "us");
    bench_report("g.computing.first", 8, middle(first, rounds) / 1e3, "us");
  }
  shmem_finalize();
  return 0;
}
