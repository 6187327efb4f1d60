/* A pointer to a peer: on one node the memory of another PE is memory, for loads and stores.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 04_pointer_to_peer.c -o pointer && oshrun -n 4 ./pointer
 * Says: summed ... numbers of ... PEs with plain loads
 */
#include <shmem.h>
#include <stdio.h>

enum { COUNT = 1000 };
static int mine[COUNT];

/* Plain loads when the PE shares memory with me, a get when it is on another node. */
static long sum_of(int pe) {
  static int copy[COUNT];
  const int* theirs = shmem_ptr(mine, pe);
  if (theirs == NULL) {
    shmem_int_get(copy, mine, COUNT, pe);
    theirs = copy;
  }
  long sum = 0;
  for (int i = 0; i < COUNT; i++) sum += theirs[i];
  return sum;
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe();
  int n = shmem_n_pes();
  for (int i = 0; i < COUNT; i++) mine[i] = me;
  shmem_sync_all(); /* plain stores of all PEs are visible */

  long sum = 0;
  for (int pe = 0; pe < n; pe++) sum += sum_of(pe);
  int right = sum == (long)COUNT * n * (n - 1) / 2;
  if (!right) fprintf(stderr, "PE %d: wrong sum %ld\n", me, sum);
  if (me == 0 && right) printf("summed %d numbers of %d PEs with plain loads\n", COUNT * n, n);
  shmem_finalize(); /* waits until nobody reads my numbers any more */
  return right ? 0 : 1;
}
