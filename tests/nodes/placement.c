/* What PEs of one node share and those of different nodes do not: `placement NODE...`, the node of each PE.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "../conformance/check.h"

static long numbers[64];
static long counter;

int main(int argc, char** argv) {
  begin();
  CHECK(argc == npes + 1, "the test gives %d PEs a node, and there are %d", argc - 1, npes);
  const char* const mine = argv[me + 1];
  int here = 0, before = 0;
  for (int pe = 0; pe < npes; pe++) {
    const int is_here = atoi(argv[pe + 1]) == atoi(mine);
    CHECK((shmem_ptr(numbers, pe) != NULL) == is_here, "shmem_ptr of static data on PE %d", pe);
    const int number = shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED);
    CHECK(number == (is_here ? here : -1), "PE %d has number %d in SHMEM_TEAM_SHARED", pe, number);
    if (is_here) shmem_long_p(&numbers[me], me + 100, pe);
    before += is_here && pe < me;
    here += is_here;
  }
  CHECK(shmem_team_n_pes(SHMEM_TEAM_SHARED) == here, "%d PEs are here", shmem_team_n_pes(SHMEM_TEAM_SHARED));
  CHECK(shmem_team_my_pe(SHMEM_TEAM_SHARED) == before, "my number is %d",
        shmem_team_my_pe(SHMEM_TEAM_SHARED));

  const int first = shmem_team_translate_pe(SHMEM_TEAM_SHARED, 0, SHMEM_TEAM_WORLD);
  shmem_long_atomic_inc(&counter, first);
  shmem_team_sync(SHMEM_TEAM_SHARED);
  CHECK(me != first || counter == here, "the node's counter is %ld", counter);
  for (int pe = 0; pe < npes; pe++)
    CHECK(numbers[pe] == (atoi(argv[pe + 1]) == atoi(mine) ? pe + 100 : 0), "of PE %d came %ld", pe,
          numbers[pe]);
  return end();
}
