/* Of which pieces the address space is made for the directory of symmetric memory (region.hpp); for C, too.
 * SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

enum { atrium_race_chunk_shift = 21 }; /* 2 MiB */
#ifdef __aarch64__
#define ATRIUM_RACE_CHUNKS ((size_t)1 << (48 - atrium_race_chunk_shift))
#else
#define ATRIUM_RACE_CHUNKS ((size_t)1 << (47 - atrium_race_chunk_shift))
#endif
