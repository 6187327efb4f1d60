/* The place of shmemx.h before OpenSHMEM 1.1; deprecated.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPP_SHMEMX_H
#define MPP_SHMEMX_H

#include "../shmemx.h"

#endif
