/* Moves as many elements as its second argument says to or from the object that its first one names. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

enum { most = 64 };
static long first[10], second[10];
/* Whichever order they get, the library's own words do not come next. */
#define IN_A_ROW __attribute__((section(".data.in_a_row")))
IN_A_ROW long defined_before[4] = {5, 6, 7, 8};
IN_A_ROW long defined[4] = {1, 2, 3, 4};
IN_A_ROW long defined_next[4] = {5, 6, 7, 8};
static struct {
  long before;
  long rows[4][8];
  long behind[3];
} grid;
static struct {
  long count;
  long open_ended[];
} flexible = {3, {1, 2, 3}};
long real_name[8];
extern long other_name[8] __attribute__((alias("real_name")));

int main(int argc, char** argv) {
  static long local[5];
  long here[most] = {0};
  if (argc != 3) return 2;
  shmem_init();
  long* const block = shmem_malloc(10 * sizeof *block);
  const char* const way = argv[1];
  const size_t count = (size_t)atoi(argv[2]);
  if (!strcmp(way, "static")) shmem_long_put(first, here, count, 0);
  if (!strcmp(way, "defined")) shmem_long_put(defined, here, count, 0);
  if (!strcmp(way, "local")) shmem_long_put(local, here, count, 0);
  if (!strcmp(way, "row")) shmem_long_put(grid.rows[1], here, count, 0);
  if (!strcmp(way, "flexible")) shmem_long_put(flexible.open_ended, here, count, 0);
  if (!strcmp(way, "alias")) shmem_long_put(other_name, here, count, 0);
  if (!strcmp(way, "get")) shmem_long_get(here, first, count, 0);
  if (!strcmp(way, "strided")) shmem_long_iput(first, here, 3, 1, count, 0);
  if (!strcmp(way, "sum")) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, first, second, count);
  if (!strcmp(way, "own")) shmem_long_put(block, first, count, 0);
  if (!strcmp(way, "block")) shmem_long_put(block, here, count, 0);
  if (!strcmp(way, "own_block")) shmem_long_get(block, grid.rows[0], count, 0);
  if (!strcmp(way, "behind")) shmem_long_p(block + count, 1, 0);
  shmem_free(block);
  shmem_finalize();
  return 0;
}
