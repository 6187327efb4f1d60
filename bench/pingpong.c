/* One word travels between two PEs: half of the way there and back.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"

enum { rounds = 20000 };
static long ball;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe();
  shmem_barrier_all();
  const double begin = now_ns();
  for (long round = 1; round <= rounds; round++) {
    if (me == 0) shmem_long_p(&ball, round, 1);
    shmem_long_wait_until(&ball, SHMEM_CMP_GE, round);
    if (me == 1) shmem_long_p(&ball, round, 0);
  }
  if (me == 0) report("ping-pong, one way [ns]", (now_ns() - begin) / (2.0 * rounds));
  shmem_finalize();
  return 0;
}
