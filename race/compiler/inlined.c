/* The short way of loads and stores, which comes into programs: private memory then costs no call of the library. As bitcode
 * clang -flto puts it into the program's loops; for all others it is a call within the program. Hidden, so that libraries
 * that are linked later go on calling libatrium-race.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "race/compiler/inlined.h"

#ifdef __clang__
#define SHORT_WAY __attribute__((always_inline, visibility("hidden"))) void
#else
#define SHORT_WAY __attribute__((visibility("hidden"))) void
#endif

/* One pointer and one comparison. The long way is a jump, and so called from the place of the load or store itself. */
#define WAY(name, longer)                                                                     \
  SHORT_WAY name(void* at) {                                                                  \
    const size_t chunk = (uintptr_t)at >> atrium_race_chunk_shift & (ATRIUM_RACE_CHUNKS - 1); \
    const uint16_t* const directory = atrium_race_view.directory;                             \
    const uint16_t region = directory[chunk];                                                 \
    if (__builtin_expect(region != directory[-1], 0)) longer(at, region);                     \
  }
#define SIZE(bytes)                                            \
  WAY(__tsan_read##bytes, atrium_race_load##bytes)             \
  WAY(__tsan_unaligned_read##bytes, atrium_race_load##bytes)   \
  WAY(__tsan_write##bytes, atrium_race_store##bytes)           \
  WAY(__tsan_unaligned_write##bytes, atrium_race_store##bytes) \
  WAY(__tsan_read_write##bytes, atrium_race_store##bytes)      \
  WAY(__tsan_unaligned_read_write##bytes, atrium_race_store##bytes)
SIZE(1)
SIZE(2)
SIZE(4)
SIZE(8)
SIZE(16)
