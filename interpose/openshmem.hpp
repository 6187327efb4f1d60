// The public API, which is all that tools know of the library. None of it need be there when the program starts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "interpose/generated/weak.hpp"
#include "pshmem.h"

#pragma weak SHMEM_CTX_DEFAULT
#pragma weak SHMEM_TEAM_WORLD
#pragma weak SHMEM_TEAM_SHARED
