// Direct pointers to peers' memory, and whether they can be had (specification sections 9.1.7 to 9.1.10).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shmem/types.h"

namespace atrium {

// Null where the address is not symmetric or the PE does not exist.
void* ptr(const void* dest, int pe);
void* team_ptr(shmem_team_t team, const void* dest, int pe);
int pe_accessible(int pe);                         // 0 also for a number that is no PE
int addr_accessible(const void* address, int pe);  // 1: symmetric, and that PE exists

}  // namespace atrium
