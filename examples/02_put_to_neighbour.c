/* Put: each PE writes its number into the memory of the next one, which does nothing for it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 02_put_to_neighbour.c -o ring && oshrun -n 4 ./ring
 * Says: a ring of ... PEs: each has the number of its left neighbour
 */
#include <shmem.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  int me = shmem_my_pe();
  int n = shmem_n_pes();

  int* from_left =
      shmem_malloc(sizeof *from_left); /* the same call on every PE: the same object on every PE */
  shmem_int_p(from_left, me, (me + 1) % n);
  shmem_barrier_all(); /* all puts are complete, everywhere */

  int expected = (me + n - 1) % n;
  int right = *from_left == expected;
  if (!right) fprintf(stderr, "PE %d: got %d, expected %d\n", me, *from_left, expected);
  if (me == 0 && right) printf("a ring of %d PEs: each has the number of its left neighbour\n", n);
  shmem_free(from_left);
  shmem_finalize();
  return right ? 0 : 1;
}
