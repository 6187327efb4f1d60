/* Reductions and scans: one number from all PEs for all, or the sum of those before me.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 09_reductions_and_scans.c -o scans && oshrun -n 4 ./scans
 * Says: ... PEs share ... items: each knows where its own begin
 */
#include <shmem.h>
#include <stdio.h>

static long items, begin, end, total;
static double value, smallest, largest;

int main(void) {
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes();
  items = me + 1;                                             /* each PE has another number of items */
  shmem_long_sum_exscan(SHMEM_TEAM_WORLD, &begin, &items, 1); /* those of the PEs before me; 0 on the first */
  shmem_long_sum_inscan(SHMEM_TEAM_WORLD, &end, &items, 1);   /* and mine */
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &total, &items, 1);

  value = (me - 1) * 0.5;
  shmem_double_min_reduce(SHMEM_TEAM_WORLD, &smallest, &value, 1);
  shmem_double_max_reduce(SHMEM_TEAM_WORLD, &largest, &value, 1);

  long before = (long)me * (me + 1) / 2;
  int right = begin == before && end == before + items && total == (long)n * (n + 1) / 2;
  right = right && smallest == -0.5 && largest == (n - 2) * 0.5;
  if (!right)
    fprintf(stderr, "PE %d: from %ld to %ld of %ld, %g, %g\n", me, begin, end, total, smallest, largest);
  if (me == 0 && right) printf("%d PEs share %ld items: each knows where its own begin\n", n, total);
  shmem_finalize();
  return right ? 0 : 1;
}
