/* The table of deltas that inlined code indexes is where it was before shmem_init, because a compiler may
 * have read its address then; and it leads nowhere before init and after finalize, when the numbers are unknown, too.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <shmem.h>

static long global;

int main(void) {
  const ptrdiff_t* const volatile* where = &atrium_deltas_1;
  const ptrdiff_t* before = *where;
  const volatile ptrdiff_t* origin = atrium_origin_1;
  const volatile struct atrium_numbers* numbers = &atrium_numbers_1;
  const int unknown_before = numbers->me == -1 && numbers->pes == -1;
  const int away_before = before[0] == ATRIUM_AWAY && origin + origin[0] == before;
  shmem_init();
  const int me = shmem_my_pe();
  shmem_long_p(&global, 42, me);
  shmem_quiet();
  const int known = numbers->me == me && numbers->pes == shmem_n_pes() && me < numbers->pes;
  const int inside = *where == before && before[me] == 0 && global == 42;
  shmem_finalize();
  const int stays = *where == before && origin + origin[0] == before;
  const int unknown = unknown_before && numbers->me == -1 && numbers->pes == -1;
  return !(away_before && inside && stays && before[me] == ATRIUM_AWAY && known && unknown);
}
