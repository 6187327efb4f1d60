/* split_2d: rows and columns, short last rows, clamping, refusals (9.4.7); and many teams (9.4).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static void check_axis(shmem_team_t axis, int number, int size, int first, int stride, const char* name) {
  static int sum, mine;
  CHECK(shmem_team_my_pe(axis) == number, "%s: my number is %d, not %d", name, shmem_team_my_pe(axis),
        number);
  CHECK(shmem_team_n_pes(axis) == size, "%s: %d members, not %d", name, shmem_team_n_pes(axis), size);
  for (int i = 0; i < size; ++i)
    CHECK(shmem_team_translate_pe(axis, i, SHMEM_TEAM_WORLD) == first + i * stride, "%s: member %d", name, i);
  mine = me;
  int expected = 0;
  for (int i = 0; i < size; ++i) expected += first + i * stride;
  CHECK(shmem_int_sum_reduce(axis, &sum, &mine, 1) == 0 && sum == expected, "%s: sum %d", name, sum);
}

static void rows_and_columns_are_as_defined(void) {
  for (int xrange = 1; xrange <= npes + 2; ++xrange) {
    shmem_team_t row = SHMEM_TEAM_INVALID, column = SHMEM_TEAM_INVALID;
    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, xrange, NULL, 0, &row, NULL, 0, &column) == 0, "xrange %d",
          xrange);
    const int width = xrange < npes ? xrange : npes, x = me % width, y = me / width;
    const int row_size = (y + 1) * width <= npes ? width : npes - y * width;
    const int column_size = (npes - x + width - 1) / width;
    check_axis(row, x, row_size, y * width, 1, "row");
    check_axis(column, y, column_size, x, width, "column");
    shmem_team_destroy(row);
    shmem_team_destroy(column);
    shmem_barrier_all();
  }
}

static void refused(shmem_team_t parent, int xrange) {
  shmem_team_t row = SHMEM_TEAM_WORLD, column = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_2d(parent, xrange, NULL, 0, &row, NULL, 0, &column) != 0, "xrange %d is refused",
        xrange);
  CHECK(row == SHMEM_TEAM_INVALID && column == SHMEM_TEAM_INVALID, "both handles are invalid");
}

static void impossible_grids_are_refused(void) {
  refused(SHMEM_TEAM_WORLD, 0);
  refused(SHMEM_TEAM_WORLD, -3);
  refused(SHMEM_TEAM_INVALID, 1);
}

static void a_grid_of_a_reversed_team_counts_in_its_numbers(void) {
  shmem_team_t reversed, row, column;
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - 1, -1, npes, NULL, 0, &reversed) == 0, "reversed");
  CHECK(shmem_team_split_2d(reversed, 2, NULL, 0, &row, NULL, 0, &column) == 0, "its grid");
  const int number = npes - 1 - me, width = npes < 2 ? 1 : 2;
  CHECK(shmem_team_my_pe(row) == number % width, "my place in the row");
  CHECK(shmem_team_my_pe(column) == number / width, "my place in the column");
  CHECK(shmem_team_translate_pe(column, shmem_team_my_pe(column), reversed) == number, "back to the parent");
  shmem_team_destroy(column);
  shmem_team_destroy(row);
  shmem_team_destroy(reversed);
}

/* Created and destroyed by the hundreds, several alive at once, used each time: nothing may run out or get
 * mixed up. */
static void many_teams_come_and_go(void) {
  enum { ROUNDS = 60, ALIVE = 8 };
  static long sum, one = 1;
  for (int round = 0; round < ROUNDS; ++round) {
    shmem_team_t teams[ALIVE];
    for (int i = 0; i < ALIVE; ++i) {
      const int size = 1 + (round + i) % npes;
      CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, size, NULL, 0, teams + i) == 0, "round %d",
            round);
    }
    for (int i = ALIVE - 1; i >= 0; --i) {
      if (teams[i] == SHMEM_TEAM_INVALID) continue;
      shmem_long_sum_reduce(teams[i], &sum, &one, 1);
      CHECK(sum == shmem_team_n_pes(teams[i]), "team %d of round %d sums to %ld", i, round, sum);
    }
    for (int i = 0; i < ALIVE; ++i) shmem_team_destroy(teams[(i + round) % ALIVE]);
  }
}

static void hundreds_of_teams_live_at_once(void) {
  enum { MANY = 300 };
  static shmem_team_t teams[MANY];
  static long sum, one = 1;
  for (int i = 0; i < MANY; ++i)
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, i % npes, 1, npes - i % npes, NULL, 0, teams + i) == 0,
          "%d", i);
  for (int i = 0; i < MANY; ++i) {
    if (teams[i] == SHMEM_TEAM_INVALID) continue;
    shmem_long_sum_reduce(teams[i], &sum, &one, 1);
    CHECK(sum == npes - i % npes, "team %d of %d sums to %ld", i, MANY, sum);
  }
  for (int i = 0; i < MANY; ++i) shmem_team_destroy(teams[i]);
}

int main(void) {
  begin();
  rows_and_columns_are_as_defined();
  impossible_grids_are_refused();
  a_grid_of_a_reversed_team_counts_in_its_numbers();
  many_teams_come_and_go();
  hundreds_of_teams_live_at_once();
  return end();
}
