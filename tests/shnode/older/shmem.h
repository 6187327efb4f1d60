/* An <shmem.h> that has no more than OpenSHMEM 1.2, 1.3 or 1.4 had (OLDER_MINOR), on top of Atrium's library:
 * what shnode must be content with.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Of 1.2, what a program of the test or shnode may use; a name that came later is not declared. */
#ifndef OLDER_SHMEM_H
#define OLDER_SHMEM_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

/* Atrium's numbers, under the names that constants had then: up to 1.2 they began with an underscore. */
#include <shmem/constants.h>
enum { older_cmp_ge = SHMEM_CMP_GE, older_sync_value = SHMEM_SYNC_VALUE, older_sync_size = SHMEM_SYNC_SIZE };
#undef SHMEM_MAJOR_VERSION
#undef SHMEM_MINOR_VERSION
#undef SHMEM_VENDOR_STRING
#undef SHMEM_CMP_GE
#undef SHMEM_SYNC_VALUE
#undef SHMEM_REDUCE_SYNC_SIZE
#undef _SHMEM_MAJOR_VERSION
#undef _SHMEM_MINOR_VERSION
#undef _SHMEM_CMP_GE
#undef _SHMEM_SYNC_VALUE
#undef _SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_MAJOR_VERSION 1
#define _SHMEM_MINOR_VERSION OLDER_MINOR
#define _SHMEM_CMP_GE older_cmp_ge
#define _SHMEM_SYNC_VALUE older_sync_value
#define _SHMEM_REDUCE_SYNC_SIZE older_sync_size
#if OLDER_MINOR >= 3
#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION OLDER_MINOR
#define SHMEM_VENDOR_STRING "Older"
#define SHMEM_CMP_GE older_cmp_ge
#define SHMEM_SYNC_VALUE older_sync_value
#define SHMEM_REDUCE_SYNC_SIZE older_sync_size
#endif

void shmem_init(void);
void shmem_finalize(void);
void shmem_global_exit(int status);
int shmem_my_pe(void);
int shmem_n_pes(void);
void* shmem_malloc(size_t size);
void shmem_free(void* ptr);
void* shmem_ptr(const void* dest, int pe);
int shmem_addr_accessible(const void* addr, int pe);

void shmem_putmem(void* dest, const void* source, size_t nelems, int pe);
void shmem_getmem(void* dest, const void* source, size_t nelems, int pe);
void shmem_int_put(int* dest, const int* source, size_t nelems, int pe);
void shmem_long_p(long* addr, long value, int pe);
long shmem_long_fadd(long* dest, long value, int pe);
void shmem_long_wait_until(long* ivar, int cmp, long cmp_value);
void shmem_fence(void);
void shmem_quiet(void);
#if OLDER_MINOR >= 3
void shmem_putmem_nbi(void* dest, const void* source, size_t nelems, int pe);
#endif

#define OLDER_SET int PE_start, int logPE_stride, int PE_size
void shmem_barrier_all(void);
void shmem_barrier(OLDER_SET, long* pSync);
#define OLDER_MOVES(bits)                                                                          \
  void shmem_broadcast##bits(void* dest, const void* source, size_t nlong, int PE_root, OLDER_SET, \
                             long* pSync);                                                         \
  void shmem_collect##bits(void* dest, const void* source, size_t nlong, OLDER_SET, long* pSync);  \
  void shmem_fcollect##bits(void* dest, const void* source, size_t nlong, OLDER_SET, long* pSync);
OLDER_MOVES(32)
OLDER_MOVES(64)
#if OLDER_MINOR >= 3
void shmem_alltoall32(void* dest, const void* source, size_t nelems, OLDER_SET, long* pSync);
void shmem_alltoall64(void* dest, const void* source, size_t nelems, OLDER_SET, long* pSync);
#endif

#define OLDER_REDUCE(name, type, op)                                                                    \
  void shmem_##name##_##op##_to_all(type* dest, const type* source, int nreduce, OLDER_SET, type* pWrk, \
                                    long* pSync);
#define OLDER_ARITHMETIC(name, type) OLDER_REDUCE(name, type, sum) OLDER_REDUCE(name, type, prod)
#define OLDER_ORDERED(name, type) \
  OLDER_ARITHMETIC(name, type) OLDER_REDUCE(name, type, min) OLDER_REDUCE(name, type, max)
#define OLDER_BITWISE(name, type) \
  OLDER_ORDERED(name, type)       \
  OLDER_REDUCE(name, type, and) OLDER_REDUCE(name, type, or) OLDER_REDUCE(name, type, xor)
OLDER_BITWISE(short, short)
OLDER_BITWISE(int, int)
OLDER_BITWISE(long, long)
OLDER_BITWISE(longlong, long long)
OLDER_ORDERED(float, float)
OLDER_ORDERED(double, double)
OLDER_ORDERED(longdouble, long double)
OLDER_ARITHMETIC(complexf, float complex)
OLDER_ARITHMETIC(complexd, double complex)

#endif
