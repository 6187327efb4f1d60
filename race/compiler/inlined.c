/* The short way of loads and stores, as bitcode for clang -flto, which puts it into the program's loops: private memory
 * then costs no call. Hidden, so that libraries that are linked later go on calling libatrium-race.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "race/compiler/inlined.h"

#define SHORT_WAY __attribute__((always_inline, visibility("hidden"))) void

/* One pointer and one comparison. */
static inline __attribute__((always_inline)) int is_watched(const void* at) {
  const size_t chunk = (uintptr_t)at >> atrium_race_chunk_shift & (ATRIUM_RACE_CHUNKS - 1);
  const uint16_t* const directory = atrium_race_view.directory;
  return __builtin_expect(directory[chunk] != directory[-1], 0);
}
static inline __attribute__((always_inline)) void load(const void* at, size_t bytes) {
  if (is_watched(at)) atrium_race_load(at, bytes);
}
static inline __attribute__((always_inline)) void store(const void* at, size_t bytes) {
  if (is_watched(at)) atrium_race_store(at, bytes);
}

#define SIZE(bytes)                                                       \
  SHORT_WAY __tsan_read##bytes(void* at) { load(at, bytes); }             \
  SHORT_WAY __tsan_unaligned_read##bytes(void* at) { load(at, bytes); }   \
  SHORT_WAY __tsan_write##bytes(void* at) { store(at, bytes); }           \
  SHORT_WAY __tsan_unaligned_write##bytes(void* at) { store(at, bytes); } \
  SHORT_WAY __tsan_read_write##bytes(void* at) { store(at, bytes); }      \
  SHORT_WAY __tsan_unaligned_read_write##bytes(void* at) { store(at, bytes); }
SIZE(1)
SIZE(2)
SIZE(4)
SIZE(8)
SIZE(16)
