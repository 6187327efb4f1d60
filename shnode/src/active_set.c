/* The collectives over active sets, as OpenSHMEM has them up to 1.4.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "kernels.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* since OpenSHMEM 1.5 */

#define SET PE_start, logPE_stride, PE_size

/* The plan, if the arguments are in order. */
static int prepare(sn_shape shape, const void* dest, const void* source, size_t count, size_t unit,
                   int PE_start, int logPE_stride, int PE_size, const sn_plan** plan) {
  const int status = sn_plan_active_set(SET, plan);
  return status ? status : sn_check_blocks(*plan, shape, dest, source, count, unit);
}

int shnode_barrier(int PE_start, int logPE_stride, int PE_size, long* pSync) {
  const sn_plan* plan;
  const int status = sn_plan_active_set(SET, &plan);
  if (status) return sn_fail(status);
  shnode_quiet();
  if (plan->own)
    sn_meet_all(plan);
  else
    shmem_barrier(SET, pSync);
  return SHNODE_OK;
}

int shnode_barrier_all(void) {
  const sn_plan* plan;
  const int status = sn_plan_active_set(0, 0, sn_pes, &plan);
  if (status) return sn_fail(status);
  shnode_quiet();
  if (plan->own)
    sn_meet_all(plan);
  else
    shmem_barrier_all();
  return SHNODE_OK;
}

#define DEFINE_BROADCAST(bits)                                                                         \
  int shnode_broadcast##bits(void* dest, const void* source, size_t nelems, int PE_root, int PE_start, \
                             int logPE_stride, int PE_size, long* pSync) {                             \
    const sn_plan* plan;                                                                               \
    int status = prepare(sn_single_blocks, dest, source, nelems, bits / 8, SET, &plan);                \
    if (!status && (PE_root < 0 || PE_root >= PE_size)) status = SHNODE_ERR_PE;                        \
    if (status) return sn_fail(status);                                                                \
    if (plan->own)                                                                                     \
      sn_broadcast(plan, dest, source, nelems*(bits / 8), PE_root);                                    \
    else                                                                                               \
      shmem_broadcast##bits(dest, source, nelems, PE_root, SET, pSync);                                \
    return SHNODE_OK;                                                                                  \
  }
DEFINE_BROADCAST(32)
DEFINE_BROADCAST(64)

/* What the system has; pSync is for it alone. */
enum { system_has_collect = 1, system_has_fcollect = 1, system_has_alltoall = SN_AT_LEAST(1, 3) };
#if !SN_AT_LEAST(1, 3)
#define shmem_alltoall32(...) ((void)0)
#define shmem_alltoall64(...) ((void)0)
#endif

#define DEFINE_MOVE(what, bits)                                                                              \
  int shnode_##what##bits(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride,     \
                          int PE_size, long* pSync) {                                                        \
    const sn_plan* plan;                                                                                     \
    const int status = prepare(sn_shape_of_##what, dest, source, nelems, bits / 8, SET, &plan);              \
    if (status) return sn_fail(status);                                                                      \
    (void)pSync;                                                                                             \
    if (plan->own || !system_has_##what) return sn_fail(sn_##what(plan, dest, source, nelems * (bits / 8))); \
    shmem_##what##bits(dest, source, nelems, SET, pSync);                                                    \
    return SHNODE_OK;                                                                                        \
  }
DEFINE_MOVE(collect, 32)
DEFINE_MOVE(collect, 64)
DEFINE_MOVE(fcollect, 32)
DEFINE_MOVE(fcollect, 64)
DEFINE_MOVE(alltoall, 32)
DEFINE_MOVE(alltoall, 64)

#define DEFINE_TO_ALL(op, name, type, arg)                                                                 \
  int shnode_##name##_##op##_to_all(type* dest, const type* source, int nreduce, int PE_start,             \
                                    int logPE_stride, int PE_size, type* pWrk, long* pSync) {              \
    const sn_plan* plan;                                                                                   \
    const int status = prepare(sn_single_blocks, dest, source, (size_t)nreduce, sizeof(type), SET, &plan); \
    if (status) return sn_fail(status);                                                                    \
    if (plan->own)                                                                                         \
      return sn_fail(sn_reduce(plan, dest, source, (size_t)nreduce, sizeof(type), SN_KERNEL(op, name)));   \
    shmem_##name##_##op##_to_all(dest, source, nreduce, SET, pWrk, pSync);                                 \
    return SHNODE_OK;                                                                                      \
  }
SHNODE_TO_ALL_REDUCTIONS(DEFINE_TO_ALL, 0)
