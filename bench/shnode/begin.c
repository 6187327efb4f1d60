/* What shnode costs at the beginning and at the end: the slowest PE's time, in a job that is running already;
 * and three of the system's barriers, which are in it (shmem_malloc, the announcements, shmem_free).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "rounds.h"

enum { repeats = 5 };
static double spent[repeats][1024];

static double spent_in[3]; /* init, create_team, finalize: the last time */

static void begin_and_end(void* heap) {
  const double begin = now_ns();
  succeed(shnode_init());
  const double created = now_ns();
  succeed(shnode_create_team(heap));
  const double ended = now_ns();
  succeed(shnode_finalize());
  spent_in[0] = created - begin, spent_in[1] = ended - created, spent_in[2] = now_ns() - ended;
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
  if (shmem_my_pe() == 0) /* of PE 0, the last time */
    for (int i = 0; i < 3; i++)
      printf("%s\t0\t%.6g\tns\n", (const char*[]){"init", "create_team", "finalize"}[i], spent_in[i]);
  measure("three barriers of the system", three_barriers, heap);
  shmem_finalize();
  return 0;
}
