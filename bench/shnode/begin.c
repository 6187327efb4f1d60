/* What shnode costs at the beginning and at the end: the slowest PE's time, in a job that is running already.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rounds.h"

enum { repeats = 5 };
static double spent[repeats][1024];

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  char* heap = shmem_malloc(1 << 20);
  for (int repeat = 0; repeat < repeats; repeat++) {
    shmem_barrier_all();
    const double begin = now_ns();
    succeed(shnode_init());
    succeed(shnode_create_team(heap));
    succeed(shnode_finalize());
    const double mine = now_ns() - begin;
    shmem_double_put(&spent[repeat][me], &mine, 1, 0);
  }
  shmem_barrier_all();
  if (me == 0) {
    double slowest[repeats] = {0};
    for (int repeat = 0; repeat < repeats; repeat++)
      for (int pe = 0; pe < n; pe++)
        if (spent[repeat][pe] > slowest[repeat]) slowest[repeat] = spent[repeat][pe];
    printf("init, create_team, finalize\t0\t%.6g\tns\n", median(slowest, repeats));
  }
  shmem_finalize();
  return 0;
}
