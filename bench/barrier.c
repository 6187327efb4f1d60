/* The time of one barrier over all PEs.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

static long rounds;

static double measure(long count) {
  const double begin = now_ns();
  for (long i = 0; i < count; i++) shmem_barrier_all();
  return (now_ns() - begin) / (double)count;
}

int main(void) {
  shmem_init();
  char what[64];
  snprintf(what, sizeof what, "barrier_all of %d PEs [us]", shmem_n_pes());
  /* A first guess decides how many rounds take about a tenth of a second; PE 0 tells everybody. */
  const double guess = measure(20);
  if (shmem_my_pe() == 0) {
    const long count = 20 + (long)(1e8 / guess);
    for (int pe = 0; pe < shmem_n_pes(); pe++) shmem_long_p(&rounds, count, pe);
  }
  shmem_barrier_all();
  const double each = measure(rounds);
  if (shmem_my_pe() == 0) report(what, each / 1e3);
  shmem_finalize();
  return 0;
}
