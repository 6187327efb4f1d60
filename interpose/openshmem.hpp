// The public API, which is all that the check knows of the library.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "pshmem.h"

// The library is preloaded into every program that the launcher starts, also such as have no OpenSHMEM.
#pragma weak SHMEM_CTX_DEFAULT
#pragma weak SHMEM_TEAM_WORLD
#pragma weak SHMEM_TEAM_SHARED
#pragma weak pshmem_init

// Other libraries need not have these.
#pragma weak pshmem_team_my_pe
#pragma weak pshmem_team_n_pes
#pragma weak pshmem_team_sync
#pragma weak pshmem_team_translate_pe
