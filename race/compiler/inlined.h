/* What code into which clang's link-time optimisation has put the short way (inlined.c) needs of the library.
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
  const uint16_t* directory; /* of each chunk; before the first, what those have at which nobody looks */
};
extern const struct atrium_race_view atrium_race_view;

/* The long way. To be called from the place of the load or store itself. */
void atrium_race_load(const void* at, size_t bytes);
void atrium_race_store(const void* at, size_t bytes);

#ifdef __cplusplus
}
#endif
