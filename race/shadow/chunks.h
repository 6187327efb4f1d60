/* How many addresses a program can have, and of which pieces they are made for the directory of symmetric memory (region.hpp). For C,
 * too.
 * SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

/* Of a user's process. On x86-64 and AArch64 more are given to those alone who ask for addresses up there. */
#ifdef __aarch64__
enum { atrium_race_address_bits = 48, atrium_race_chunk_shift = 21 }; /* of 2 MiB */
#else
enum { atrium_race_address_bits = 47, atrium_race_chunk_shift = 21 }; /* of 2 MiB */
#endif
#define ATRIUM_RACE_CHUNKS ((size_t)1 << (atrium_race_address_bits - atrium_race_chunk_shift))
