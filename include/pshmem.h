/* The profiling interface (OpenSHMEM 1.6, section 10): a pshmem_ twin of every routine, for tools that define shmem_.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef PSHMEM_H
#define PSHMEM_H

#include "shmem.h"
#include "shmem/twins.h"

#endif
