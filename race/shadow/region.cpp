// The directory that leads from an address to the symmetric memory that it belongs to, and to its shadow.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/shadow/region.hpp"

#include <sys/mman.h>

#include "race/model/job.hpp"

namespace atrium::race {
namespace {

uint16_t regions_count = 0;

// Untouched memory costs nothing.
uint64_t* room_for_recent(size_t bytes) {
  void* room =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return nullptr;
  madvise(room, bytes, MADV_DONTDUMP);
  return static_cast<uint64_t*>(room);
}

}  // namespace

Directory directory;
Region regions[2 * most_pes + 1];

void add_region(const Region& added) {
  if (added.bytes == 0) return;
  const uint16_t number = ++regions_count;
  regions[number] = added;
  if (added.begin == 0) return;
  regions[number].recent = room_for_recent(added.bytes);
  for (uintptr_t chunk = added.begin >> chunk_shift; chunk <= (added.begin + added.bytes - 1) >> chunk_shift;
       ++chunk) {
    uint16_t& first = directory.number[chunk & (chunks - 1)];
    if (first != 0) regions[number].sharing = first;
    first = number;
  }
}

Spot spot_among(uint16_t number, uintptr_t address) {
  for (; number != 0; number = regions[number].sharing)
    if (regions[number].has(address)) return {&regions[number], address - regions[number].begin};
  return {};
}

// Regions are added for each PE, heap first: see model/setup.cpp.
Spot spot_on(const void* symmetric, int pe) {
  if (pe < 0 || pe >= job.pes) return {};
  const Spot mine = spot_of(reinterpret_cast<uintptr_t>(symmetric));
  if (!mine) return {};
  const int among_mine = mine.region->heap ? job.heap_region[pe] : job.globals_region[pe];
  return {&regions[among_mine], mine.offset};
}

}  // namespace atrium::race
