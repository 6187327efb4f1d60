/* The profiling interface (OpenSHMEM 1.6, section 10): a pshmem_ twin of every routine, for tools that define
 * shmem_.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef PSHMEM_H
#define PSHMEM_H

#ifdef __GNUC__
#pragma GCC system_header /* as in shmem.h */
#endif

/* clang++ does not let a routine be defined after its inline definition; the others do. A tool for it
 * includes this header before shmem.h, or is compiled with -DATRIUM_NO_INLINE. */
#if defined(__clang__) && defined(__cplusplus) && !defined(ATRIUM_NO_INLINE)
#define ATRIUM_NO_INLINE
#endif

#include "shmem.h"
#include "shmem/twins.h"

#endif
