/* An all-to-all whose puts become copies for the PEs of my node; the others get the system's puts, which fly
 * meanwhile.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc -O2 alltoall.c -lshnode -o alltoall       with an installed Atrium; over another OpenSHMEM: the manual's page on shnode
 * oshrun -n 4 ./alltoall
 * Says: all-to-all of ... PEs is right: ... copies and ... puts
 */
#include <shnode.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 1000 }; /* longs for each PE */

/* Both are symmetric and lie in one registered object: source first, then what is received. */
static void exchange_blocks(long* received, const long* source, int* copies) {
  int me = shmem_my_pe(), n = shmem_n_pes(), away;
  int* order = malloc((size_t)n * sizeof *order);
  if (shnode_alltoall_schedule(order, &away)) shmem_global_exit(1);
  for (int i = 0; i < n; i++) {
    int pe = order[i];
    long* mine = received + (size_t)me * BLOCK; /* my place in everybody's memory */
    const long* block = source + (size_t)pe * BLOCK;
    if (shnode_is_team_member(pe))
      memcpy(shnode_get_member_remote_addr(pe, mine), block, BLOCK * sizeof *block);
    else
      shmem_putmem_nbi(mine, block, BLOCK * sizeof *block, pe);
  }
  *copies = n - away;
  shnode_barrier_all(); /* completes copies and puts */
  free(order);
}

static int is_right(const long* received) {
  int me = shmem_my_pe(), n = shmem_n_pes();
  for (int pe = 0; pe < n; pe++)
    for (int i = 0; i < BLOCK; i++)
      if (received[pe * BLOCK + i] != 10000L * pe + 100L * me + i % 100) return 0;
  return 1;
}

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes(), copies = 0;
  long* source = shmem_malloc(2 * (size_t)n * BLOCK * sizeof *source);
  long* received = source + (size_t)n * BLOCK;
  int status = shnode_init();
  if (!status) status = shnode_create_team(source);
  if (status) {
    fprintf(stderr, "PE %d: %s\n", me, shnode_strerror(status));
    shmem_global_exit(1);
  }
  for (int pe = 0; pe < n; pe++)
    for (int i = 0; i < BLOCK; i++) source[pe * BLOCK + i] = 10000L * me + 100L * pe + i % 100;
  exchange_blocks(received, source, &copies);
  int right = is_right(received);
  if (!right) fprintf(stderr, "PE %d: wrong data\n", me);
  if (right && me == 0)
    printf("all-to-all of %d PEs is right: %d copies and %d puts from PE 0\n", n, copies, n - copies);
  shnode_finalize();
  shmem_free(source);
  shmem_finalize();
  return !right;
}
