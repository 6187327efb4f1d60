/* Extensions to OpenSHMEM, all named shmemx_: Atrium has none so far.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef SHMEMX_H
#define SHMEMX_H

#include "shmem.h"

#endif
