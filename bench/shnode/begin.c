/* What shnode costs at the beginning and at the end: the slowest PE's time, in a job that is running already;
 * and three of the system's barriers, which are in it (shmem_malloc, the announcements, shmem_free).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rounds.h"

enum { repeats = 5 };
static double spent[repeats][1024];

static void begin_and_end(void* heap) {
  succeed(shnode_init());
  succeed(shnode_create_team(heap));
  succeed(shnode_finalize());
}

static void three_barriers(void* heap) {
  (void)heap;
  for (int i = 0; i < 3; i++) shmem_barrier_all();
}

static void measure(const char* what, void (*work)(void*), void* heap) {
  const int me = shmem_my_pe(), n = shmem_n_pes();
  double slowest[repeats] = {0};
  for (int repeat = 0; repeat < repeats; repeat++) {
    shmem_barrier_all();
    const double begin = now_ns();
    work(heap);
    const double mine = now_ns() - begin;
    shmem_double_put(&spent[repeat][me], &mine, 1, 0);
  }
  shmem_barrier_all();
  for (int repeat = 0; repeat < repeats; repeat++)
    for (int pe = 0; pe < n; pe++)
      if (spent[repeat][pe] > slowest[repeat]) slowest[repeat] = spent[repeat][pe];
  if (me == 0) printf("%s\t0\t%.6g\tns\n", what, middle(slowest, repeats));
}

int main(void) {
  shmem_init();
  char* heap = shmem_malloc(1 << 20);
  measure("init, create_team, finalize", begin_and_end, heap);
  measure("three barriers of the system", three_barriers, heap);
  shmem_finalize();
  return 0;
}
