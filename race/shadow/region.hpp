// Which PE's symmetric memory an address is, and where its shadow lies.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "race/shadow/chunks.h"
#include "race/shadow/shared_memory.hpp"

namespace atrium::race {

// Memory of one process that all see, as this process sees it: a PE's heap or globals, a rank's part of a window.
struct alignas(64) ShadowRegion {
  uintptr_t begin;  // 0: this process cannot load and store there, as some libraries map no globals of others
  size_t bytes;
  int owner;
  bool heap;
  ShadowLine* lines;
  ShadowPage* pages;
  uint8_t* states = nullptr;  // of heaps
  // For each eight bytes the word of the Epoch that this process entered last; null: no memory.
  uint64_t* recent = nullptr;
  uint64_t first = 0;  // what its first byte is called among those of its owner
  // Other regions that have a part of its first and of its last chunk; 0: none. Between these it has chunks as a whole.
  uint16_t sharing[2] = {0, 0};

  bool has(uintptr_t address) const { return address - begin < bytes; }
  uint64_t key(uint64_t offset) const { return (first + offset) << 1 | (heap ? 1u : 0u); }
};

// An address in a region, as the shadow is found by.
struct ShadowAddress {
  const ShadowRegion* region = nullptr;
  uint64_t offset = 0;

  explicit operator bool() const { return region != nullptr; }
};

inline constexpr unsigned chunk_shift = atrium_race_chunk_shift;
inline constexpr size_t chunks = ATRIUM_RACE_CHUNKS;

// Which chunks of the address space are checked.
struct Directory {
  // The number of the chunks that are not checked: that of private ones, or one that no chunk has.
  uint16_t unwatched;
  // Of each chunk the first region in it; 0: it is private. Never written where nothing is symmetric, so that it costs no
  // memory there.
  uint16_t number[chunks];
};
extern Directory directory;

// Private memory is checked, too: operations under way use it, or there are several threads.
inline bool watching_private() { return directory.unwatched != 0; }
inline void watch_private(bool on) { directory.unwatched = on ? 0xffff : 0; }

inline constexpr size_t most_regions = 8192;
extern ShadowRegion regions[most_regions];

inline uint16_t region_number(uintptr_t address) {
  return directory.number[address >> chunk_shift & (chunks - 1)];
}

// Its number until it is removed; 0: there is no room, and its accesses are not seen. Requires: no thread uses that memory.
uint16_t add_region(const ShadowRegion& region);
void remove_region(uint16_t number);

// The heap or the globals of a PE.
void add_symmetric(const ShadowRegion& region);
const ShadowRegion* region_of(int pe, bool heap);  // null: none
// Requires: `number` is region_number(address), not 0.
ShadowAddress shadow_among(uint16_t number, uintptr_t address);

inline ShadowAddress shadow_of(uintptr_t address) {
  const uint16_t number = region_number(address);
  return number == 0 ? ShadowAddress{} : shadow_among(number, address);
}

// The copy of my symmetric address on a PE.
ShadowAddress shadow_on(const void* symmetric, int pe);

}  // namespace atrium::race
