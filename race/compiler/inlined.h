/* What the short way (inlined.c), which is part of programs, needs of the library.
 * SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "race/shadow/chunks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A pointer, because linkers copy variables of a library into the program. */
struct atrium_race_view {
  const uint16_t* directory; /* of each chunk; before the first, the number of those that are not checked */
};
extern const struct atrium_race_view atrium_race_view;

/* The long way, with what the directory says of the chunk. To be called from the place of the load or store itself. */
#define ATRIUM_RACE_LONG_WAY(bytes)                              \
  void atrium_race_load##bytes(const void* at, uint16_t region); \
  void atrium_race_store##bytes(const void* at, uint16_t region);
ATRIUM_RACE_LONG_WAY(1)
ATRIUM_RACE_LONG_WAY(2)
ATRIUM_RACE_LONG_WAY(4)
ATRIUM_RACE_LONG_WAY(8)
ATRIUM_RACE_LONG_WAY(16)
#undef ATRIUM_RACE_LONG_WAY

#ifdef __cplusplus
}
#endif
