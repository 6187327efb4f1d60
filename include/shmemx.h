/* Extensions to OpenSHMEM, all named shmemx_.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHMEMX_H
#define SHMEMX_H

#include "shmem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From here to the end of the same name is a region, for oshrun --profile and --trace; without these, nothing happens.
 * Regions may lie in each other. Of a name the first 47 characters count. */
void shmemx_region_begin(const char* name);
void shmemx_region_end(const char* name);

#ifdef __cplusplus
}
#endif

#endif
