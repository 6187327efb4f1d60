/* The collectives over teams, as OpenSHMEM has them from 1.5 on; empty with an older one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "kernels.h"

#if SHNODE_HAS_TEAMS

static int prepare(shmem_team_t team, sn_shape shape, const void* dest, const void* source, size_t count,
                   size_t unit, const sn_plan** plan) {
  const int status = sn_plan_team(team, plan);
  return status ? status : sn_check_blocks(*plan, shape, dest, source, count, unit);
}

/* The system says with any number that it failed. */
static int system_status(int status) { return sn_fail(status ? SHNODE_ERR_ARGUMENT : SHNODE_OK); }

int shnode_team_sync(shmem_team_t team) {
  const sn_plan* plan;
  const int status = sn_plan_team(team, &plan);
  if (status) return sn_fail(status);
  if (!plan->own) return system_status(shmem_team_sync(team));
  sn_meet_all(plan);
  return SHNODE_OK;
}

int shnode_broadcastmem(shmem_team_t team, void* dest, const void* source, size_t nelems, int PE_root) {
  const sn_plan* plan;
  int status = prepare(team, sn_single_blocks, dest, source, nelems, 1, &plan);
  if (!status && (PE_root < 0 || PE_root >= plan->size)) status = SHNODE_ERR_PE;
  if (status) return sn_fail(status);
  if (!plan->own) return system_status(shmem_broadcastmem(team, dest, source, nelems, PE_root));
  sn_broadcast(plan, dest, source, nelems, PE_root);
  if (plan->me == PE_root && dest != source && nelems) memcpy(dest, source, nelems);
  return SHNODE_OK;
}

#define DEFINE_MOVE(what)                                                                    \
  int shnode_##what##mem(shmem_team_t team, void* dest, const void* source, size_t nelems) { \
    const sn_plan* plan;                                                                     \
    const int status = prepare(team, sn_shape_of_##what, dest, source, nelems, 1, &plan);    \
    if (status) return sn_fail(status);                                                      \
    if (!plan->own) return system_status(shmem_##what##mem(team, dest, source, nelems));     \
    return sn_fail(sn_##what(plan, dest, source, nelems));                                   \
  }
DEFINE_MOVE(collect)
DEFINE_MOVE(fcollect)
DEFINE_MOVE(alltoall)

#define DEFINE_REDUCE(op, name, type, arg)                                                               \
  int shnode_##name##_##op##_reduce(shmem_team_t team, type* dest, const type* source, size_t nreduce) { \
    const sn_plan* plan;                                                                                 \
    const int status = prepare(team, sn_single_blocks, dest, source, nreduce, sizeof(type), &plan);      \
    if (status) return sn_fail(status);                                                                  \
    if (!plan->own) return system_status(shmem_##name##_##op##_reduce(team, dest, source, nreduce));     \
    return sn_fail(sn_reduce(plan, dest, source, nreduce, sizeof(type), SN_KERNEL(op, name)));           \
  }
SHNODE_TEAM_REDUCTIONS(DEFINE_REDUCE, 0)

#else
typedef int sn_no_teams;
#endif
