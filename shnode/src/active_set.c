/* The collectives over active sets, as OpenSHMEM has them up to 1.4.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "kernels.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* since OpenSHMEM 1.5 */

#define SET PE_start, logPE_stride, PE_size

/* The plan, if the arguments are in order. */
static int prepare(const void* dest, const void* source, size_t count, size_t unit, int PE_start,
                   int logPE_stride, int PE_size, const sn_plan** plan) {
  const int status = sn_plan_active_set(SET, plan);
  return status ? status : sn_check_blocks(dest, source, count, unit);
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

#if SN_AT_LEAST(1, 3)
#define SYSTEM_HAS_ALLTOALL 1
#else
#define SYSTEM_HAS_ALLTOALL 0
#define shmem_alltoall32(...) ((void)0)
#define shmem_alltoall64(...) ((void)0)
#endif

#define DEFINE_MOVES(bits)                                                                                 \
  int shnode_broadcast##bits(void* dest, const void* source, size_t nelems, int PE_root, int PE_start,     \
                             int logPE_stride, int PE_size, long* pSync) {                                 \
    const sn_plan* plan;                                                                                   \
    int status = prepare(dest, source, nelems, bits / 8, SET, &plan);                                      \
    if (!status && (PE_root < 0 || PE_root >= PE_size)) status = SHNODE_ERR_PE;                            \
    if (status) return sn_fail(status);                                                                    \
    if (!plan->own)                                                                                        \
      shmem_broadcast##bits(dest, source, nelems, PE_root, SET, pSync);                                    \
    else                                                                                                   \
      sn_broadcast(plan, dest, source, nelems*(bits / 8), PE_root);                                        \
    return SHNODE_OK;                                                                                      \
  }                                                                                                        \
                                                                                                           \
  int shnode_collect##bits(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride,  \
                           int PE_size, long* pSync) {                                                     \
    const sn_plan* plan;                                                                                   \
    const int status = prepare(dest, source, nelems, bits / 8, SET, &plan);                                \
    if (status) return sn_fail(status);                                                                    \
    if (plan->own) return sn_fail(sn_collect(plan, dest, source, nelems * (bits / 8)));                    \
    shmem_collect##bits(dest, source, nelems, SET, pSync);                                                 \
    return SHNODE_OK;                                                                                      \
  }                                                                                                        \
                                                                                                           \
  int shnode_fcollect##bits(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride, \
                            int PE_size, long* pSync) {                                                    \
    const sn_plan* plan;                                                                                   \
    const int status = prepare(dest, source, nelems, bits / 8, SET, &plan);                                \
    if (status) return sn_fail(status);                                                                    \
    if (plan->own) return sn_fail(sn_fcollect(plan, dest, source, nelems * (bits / 8)));                   \
    shmem_fcollect##bits(dest, source, nelems, SET, pSync);                                                \
    return SHNODE_OK;                                                                                      \
  }                                                                                                        \
                                                                                                           \
  int shnode_alltoall##bits(void* dest, const void* source, size_t nelems, int PE_start, int logPE_stride, \
                            int PE_size, long* pSync) {                                                    \
    const sn_plan* plan;                                                                                   \
    const int status = prepare(dest, source, nelems, bits / 8, SET, &plan);                                \
    if (status) return sn_fail(status);                                                                    \
    (void)pSync; /* where the system has no alltoall */                                                    \
    if (plan->own || !SYSTEM_HAS_ALLTOALL)                                                                 \
      return sn_fail(sn_alltoall(plan, dest, source, nelems * (bits / 8)));                                \
    shmem_alltoall##bits(dest, source, nelems, SET, pSync);                                                \
    return SHNODE_OK;                                                                                      \
  }
DEFINE_MOVES(32)
DEFINE_MOVES(64)

#define DEFINE_TO_ALL(op, name, type, arg)                                                               \
  int shnode_##name##_##op##_to_all(type* dest, const type* source, int nreduce, int PE_start,           \
                                    int logPE_stride, int PE_size, type* pWrk, long* pSync) {            \
    const sn_plan* plan;                                                                                 \
    const int status = prepare(dest, source, (size_t)nreduce, sizeof(type), SET, &plan);                 \
    if (status) return sn_fail(status);                                                                  \
    if (plan->own)                                                                                       \
      return sn_fail(sn_reduce(plan, dest, source, (size_t)nreduce, sizeof(type), SN_KERNEL(op, name))); \
    shmem_##name##_##op##_to_all(dest, source, nreduce, SET, pWrk, pSync);                               \
    return SHNODE_OK;                                                                                    \
  }
SHNODE_TO_ALL_REDUCTIONS(DEFINE_TO_ALL, 0)
