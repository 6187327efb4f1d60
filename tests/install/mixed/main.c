/* The C part: OpenMP threads that add to the next PE at once.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdio.h>

long sum_of_all(long mine);

static long counter;

int main(void) {
  int provided;
  if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0 || provided != SHMEM_THREAD_MULTIPLE) return 1;
  const int me = shmem_my_pe(), pes = shmem_n_pes();
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 1000; ++i) shmem_long_atomic_inc(&counter, (me + 1) % pes);
  shmem_barrier_all();
  const int good = pes == 2 && counter == 1000 && sum_of_all(me + 1) == 3;
  if (good) printf("PE %d of %d is good\n", me, pes);
  shmem_finalize();
  return !good;
}
