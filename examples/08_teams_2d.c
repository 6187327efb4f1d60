/* Teams: the PEs as a grid, with a team for each row and for each column, and sums along both.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * oshcc 08_teams_2d.c -o teams && oshrun -n 6 ./teams
 * Says: a grid of ... PEs with ... in a full row: sums along rows and columns are right
 */
#include <shmem.h>
#include <stdio.h>

/* The widest grid that is not wider than high. */
static int choose_width(int n) {
  int width = 1;
  while ((width + 1) * (width + 1) <= n) width++;
  return width;
}

int main(void) {
  static int mine, row_sum, column_sum;
  shmem_init();
  int me = shmem_my_pe(), n = shmem_n_pes(), width = choose_width(n);
  shmem_team_t row, column;
  if (shmem_team_split_2d(SHMEM_TEAM_WORLD, width, NULL, 0, &row, NULL, 0, &column) != 0)
    shmem_global_exit(1);

  mine = me;
  shmem_int_sum_reduce(row, &row_sum, &mine, 1);
  shmem_int_sum_reduce(column, &column_sum, &mine, 1);

  int row_expected = 0, column_expected = 0;
  for (int pe = 0; pe < n; pe++) {
    if (pe / width == me / width) row_expected += pe; /* the last row may be shorter */
    if (pe % width == me % width) column_expected += pe;
  }
  int right = row_sum == row_expected && column_sum == column_expected;
  right = right && shmem_team_my_pe(row) == me % width && shmem_team_my_pe(column) == me / width;
  right = right && shmem_team_translate_pe(row, 0, SHMEM_TEAM_WORLD) == me / width * width;
  if (!right)
    fprintf(stderr, "PE %d: sums %d and %d, expected %d and %d\n", me, row_sum, column_sum, row_expected,
            column_expected);
  if (me == 0 && right)
    printf("a grid of %d PEs with %d in a full row: sums along rows and columns are right\n", n, width);
  shmem_team_destroy(row);
  shmem_team_destroy(column);
  shmem_finalize();
  return right ? 0 : 1;
}
