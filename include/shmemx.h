/* Extensions to OpenSHMEM, all named shmemx_.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHMEMX_H
#define SHMEMX_H

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Hints of shmem_malloc_with_hints beside those of the specification: bits. The block lies in turns on all memory nodes that the
 * PE may use, or on the one that it reads fastest, as the system says. Advice, which is ignored where it cannot be followed. */
#define SHMEMX_MALLOC_INTERLEAVE (1L << 24)
#define SHMEMX_MALLOC_HIGH_BANDWIDTH (1L << 25)

/* From here to the end of the same name is a region, for oshrun --profile and --trace; without these, nothing happens.
 * Regions may lie in each other. Of a name the first 47 characters count. */
void shmemx_region_begin(const char* name);
void shmemx_region_end(const char* name);

#ifdef __cplusplus
}
#endif

#endif
