/* Programs that are compiled without optimisation have the arguments of their calls checked.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Such a program is being written, or debugged: what a check takes is little beside what -O0 costs. The file that calls
 * shmem_init decides. ATRIUM_CHECK=0 switches the checks off. */
#ifndef SHMEM_UNOPTIMISED_H
#define SHMEM_UNOPTIMISED_H

#include "shmem/deprecated.h"
#include "shmem/fast.h"
#include "shmem/setup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Says so to the library. Part of the ABI. */
void atrium_unoptimised_1(void);

/* The public routines by other names, since inlined ones cannot call themselves; a tool may have replaced them. */
void atrium_called_init(void) __asm__("shmem_init");
int atrium_called_init_thread(int requested, int* provided) __asm__("shmem_init_thread");
void atrium_called_start_pes(int npes) __asm__("start_pes");

ATRIUM_INLINE void shmem_init(void) {
  atrium_unoptimised_1();
  atrium_called_init();
}
ATRIUM_INLINE int shmem_init_thread(int requested, int* provided) {
  atrium_unoptimised_1();
  return atrium_called_init_thread(requested, provided);
}
ATRIUM_INLINE void start_pes(int npes) {
  atrium_unoptimised_1();
  atrium_called_start_pes(npes);
}

#ifdef __cplusplus
}
#endif

#endif
