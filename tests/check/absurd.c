/* Moves more than any memory has, so that its bytes are counted around to few or none, by the routine of its argument. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>
#include <stdint.h>
#include <string.h>

static long dest[8], source[8];
/* Of which the compiler does not know how large they are. */
static long* volatile hidden_dest = dest, * volatile hidden_source = source;
static volatile ptrdiff_t negative = -1;

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  const size_t all = SIZE_MAX / sizeof(long) + 1; /* times sizeof(long) is 0 */
  shmem_init();
  if (!strcmp(way, "put")) shmem_long_put(dest, source, all, 0);
  if (!strcmp(way, "iput")) shmem_long_iput(dest, source, 1, 1, all, 0);
  if (!strcmp(way, "iget")) shmem_long_iget(dest, source, 1, 1, all, 0);
  if (!strcmp(way, "stride")) shmem_long_iput(dest, source, (ptrdiff_t)all, 1, 2, 0);
  if (!strcmp(way, "ibput")) shmem_long_ibput(dest, source, 1, 1, all, 1, 0);
  if (!strcmp(way, "ibget")) shmem_long_ibget(dest, source, 1, 1, all, 2, 0);
  if (!strcmp(way, "alltoall")) shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, all / 2);
  if (!strcmp(way, "alltoalls")) shmem_long_alltoalls(SHMEM_TEAM_WORLD, dest, source, 1, 1, all);
  if (!strcmp(way, "collect")) shmem_long_collect(SHMEM_TEAM_WORLD, dest, source, all / 2);
  if (!strcmp(way, "fcollect")) shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, all / 2);
  if (!strcmp(way, "wait")) shmem_long_wait_until_all(dest, all, NULL, SHMEM_CMP_EQ, 0);
  long *const to = hidden_dest, *const from = hidden_source;
  const size_t below = (size_t)negative;
  static uint64_t signal;
  if (!strcmp(way, "put below 0")) shmem_long_put(to, from, below, 1);
  if (!strcmp(way, "get below 0")) shmem_long_get(to, from, below, 1);
  if (!strcmp(way, "putmem below 0")) shmem_putmem(to, from, below, 1);
  if (!strcmp(way, "getmem below 0")) shmem_getmem(to, from, below - 1, 1);
  if (!strcmp(way, "iput below 0")) shmem_long_iput(to, from, 1, 1, below, 1);
  if (!strcmp(way, "signal below 0")) shmem_long_put_signal(to, from, below, &signal, 1, SHMEM_SIGNAL_SET, 1);
  shmem_finalize();
  return 0;
}
