/* Atomics: all PEs draw tickets from one counter on PE 0, and no two get the same.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 06_atomic_counter.c -o tickets && oshrun -n 4 ./tickets
 * Says: ... tickets drawn by ... PEs, each of them once
 */
#include <shmem.h>
#include <stdio.h>

enum { EACH = 1000 };
static int counter; /* PE 0's is used */

int main(void) {
  shmem_init();
  int me = shmem_my_pe();
  int total = EACH * shmem_n_pes();
  int* drawn = shmem_calloc((size_t)total, sizeof *drawn); /* how often; PE 0's is used */

  for (int i = 0; i < EACH; i++) {
    int ticket = shmem_int_atomic_fetch_inc(&counter, 0);
    shmem_int_atomic_inc(&drawn[ticket], 0);
  }
  shmem_barrier_all();

  int right = 1;
  for (int i = 0; me == 0 && i < total; i++) right = right && drawn[i] == 1;
  if (me == 0 && right) printf("%d tickets drawn by %d PEs, each of them once\n", total, shmem_n_pes());
  if (!right) fprintf(stderr, "a ticket was drawn twice, or never\n");
  shmem_free(drawn);
  shmem_finalize();
  return right ? 0 : 1;
}
