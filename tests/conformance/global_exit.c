/* shmem_global_exit ends the whole job with its status, whatever the others do (9.1.6).
 * Arguments: which PE calls it (or "all"), and the status. The others wait for ever.
 *
 * Tests: SYNC exit
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static long never;

int main(int count, char** arguments) {
  begin();
  if (count < 3) return 2;
  const int all = strcmp(arguments[1], "all") == 0;
  printf("before the exit of %d\n", me); /* without a flush: the exit must write it */
  shmem_barrier_all();
  if (all || me == atoi(arguments[1]) % npes) shmem_global_exit(atoi(arguments[2]));
  shmem_long_wait_until(&never, SHMEM_CMP_NE, 0);
  return 3;
}
