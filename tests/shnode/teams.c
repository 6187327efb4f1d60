/* Collectives over teams, where the system has teams.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#if SHNODE_HAS_TEAMS

#define CHECK_REDUCTION(op, name, type, arg)                                     \
  {                                                                              \
    type *source = (type*)(void*)registered, *dest = source + 300;               \
    for (int i = 0; i < 300; i++) source[i] = (type)(1 + (me + i) % 2);          \
    EXPECT(shnode_##name##_##op##_reduce(team, dest, source, 300) == SHNODE_OK); \
    EXPECT(shmem_##name##_##op##_reduce(team, source, source, 300) == 0);        \
    for (int i = 0; i < 300; i += 7) EXPECT(dest[i] == source[i]);               \
  }

static void check_team_moves(shmem_team_t team) {
  const int me = shmem_team_my_pe(team), n = shmem_team_n_pes(team);
  char *source = registered, *dest = registered + room / 2;
  for (int i = 0; i < 64 * n; i++) source[i] = (char)me;
  EXPECT(shnode_broadcastmem(team, dest, source, 64, n - 1) == SHNODE_OK && dest[0] == n - 1 &&
         dest[63] == n - 1);
  EXPECT(shnode_team_sync(team) == SHNODE_OK);
  EXPECT(shnode_fcollectmem(team, dest, source, 64) == SHNODE_OK);
  for (int i = 0; i < 64 * n; i++) EXPECT(dest[i] == i / 64);
  EXPECT(shnode_team_sync(team) == SHNODE_OK);
  EXPECT(shnode_alltoallmem(team, dest, source, 64) == SHNODE_OK);
  for (int i = 0; i < 64 * n; i++) EXPECT(dest[i] == i / 64);
  EXPECT(shnode_team_sync(team) == SHNODE_OK);
  EXPECT(shnode_collectmem(team, dest, source, (size_t)me + 1) == SHNODE_OK);
  EXPECT(dest[0] == 0 && dest[n * (n + 1) / 2 - 1] == n - 1);
  EXPECT(shnode_team_sync(team) == SHNODE_OK);
  EXPECT(shnode_broadcastmem(team, dest, source, 64, n) == SHNODE_ERR_PE);
  char local[64], *beyond = end_of_symmetric_memory() + 4 - 64 * n;
  EXPECT(shnode_fcollectmem(team, beyond, source, 64) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_alltoallmem(team, beyond, source, 64) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_alltoallmem(team, dest, beyond, 64) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_fcollectmem(team, dest, local, 64) == SHNODE_ERR_ARGUMENT);
}

static void check_team_of(shmem_team_t team) {
  const int me = shmem_my_pe();
  SHNODE_TEAM_REDUCTIONS(CHECK_REDUCTION, 0)
  check_team_moves(team);
}

void check_teams(void) {
  shmem_team_t upper = SHMEM_TEAM_INVALID;
  const int n = shmem_n_pes();
  check_team_of(SHMEM_TEAM_WORLD);
  shmem_team_split_strided(SHMEM_TEAM_WORLD, n / 2, 1, n - n / 2, NULL, 0, &upper);
  if (upper != SHMEM_TEAM_INVALID) {
    check_team_of(upper);
    EXPECT(shnode_barrier(-1, -1, n - n / 2, sync_area[0]) == SHNODE_ERR_ARGUMENT);
    shmem_team_destroy(upper);
  }
  EXPECT(shnode_team_sync(SHMEM_TEAM_INVALID) == SHNODE_ERR_ARGUMENT);
  EXPECT(shnode_barrier_all() == SHNODE_OK);
}

#else
void check_teams(void) {}
#endif
