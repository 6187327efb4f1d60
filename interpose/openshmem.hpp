// The public API, which is all that tools know of the library. None of it need be there when the program starts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpose/generated/weak.hpp"
#include "pshmem.h"

// The handles as variables, which other libraries have, too, and which need not be there either.
#undef SHMEM_CTX_DEFAULT
#undef SHMEM_TEAM_WORLD
#undef SHMEM_TEAM_SHARED
extern "C" {
extern shmem_ctx_t SHMEM_CTX_DEFAULT;
extern shmem_team_t SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED;
}
#pragma weak SHMEM_CTX_DEFAULT
#pragma weak SHMEM_TEAM_WORLD
#pragma weak SHMEM_TEAM_SHARED
