/* Signals: data and the news of its arrival in one call. A pipeline of PEs without a single barrier.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 05_signal_pipeline.c -o pipeline && oshrun -n 4 ./pipeline
 * Says: ... blocks went through ... PEs, each of which added 1
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

enum { BLOCKS = 100, SIZE = 256 };
static long inbox[BLOCKS][SIZE];
static uint64_t arrived; /* how many blocks are in my inbox */

/* The work of this stage: each PE adds 1 to each number. */
static void pass_on(int block, int next) {
  for (int i = 0; i < SIZE; i++) inbox[block][i] += 1;
  if (next < shmem_n_pes())
    shmem_long_put_signal(inbox[block], inbox[block], SIZE, &arrived, 1, SHMEM_SIGNAL_ADD, next);
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe();
  int n = shmem_n_pes();
  int right = 1;
  for (int block = 0; block < BLOCKS; block++) {
    if (me > 0) shmem_signal_wait_until(&arrived, SHMEM_CMP_GE, (uint64_t)block + 1);
    if (me == 0) inbox[block][SIZE - 1] = block;
    pass_on(block, me + 1);
    shmem_fence(); /* the next block's signal must not overtake this block */
    right = right && inbox[block][SIZE - 1] == block + me + 1 && inbox[block][0] == me + 1;
  }
  if (!right) fprintf(stderr, "PE %d: a block is wrong\n", me);
  if (me == n - 1 && right) printf("%d blocks went through %d PEs, each of which added 1\n", BLOCKS, n);
  shmem_finalize();
  return right ? 0 : 1;
}
