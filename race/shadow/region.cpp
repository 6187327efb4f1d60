// The directory that leads from an address to the symmetric memory that it belongs to, and to its shadow.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/shadow/region.hpp"

#include "race/shadow/untouched.hpp"

namespace atrium::race {
namespace {

uint16_t regions_count = 0;
uint16_t number_of[most_pes][2];  // by PE, globals and heap; 0: none

uint64_t* room_for_recent(size_t bytes) {
  auto* recent = untouched<uint64_t>((bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t));
  if (recent) madvise(recent, bytes, MADV_DONTDUMP);
  return recent;
}

}  // namespace

Directory directory;
ShadowRegion regions[2 * most_pes + 1];

void add_region(const ShadowRegion& added) {
  if (added.bytes == 0) return;
  const uint16_t number = ++regions_count;
  regions[number] = added;
  number_of[added.owner][added.heap] = number;
  if (added.begin == 0) return;
  regions[number].recent = room_for_recent(added.bytes);
  for (uintptr_t chunk = added.begin >> chunk_shift; chunk <= (added.begin + added.bytes - 1) >> chunk_shift;
       ++chunk) {
    uint16_t& first = directory.number[chunk & (chunks - 1)];
    if (first != 0) regions[number].sharing = first;
    first = number;
  }
}

ShadowAddress shadow_among(uint16_t number, uintptr_t address) {
  for (; number != 0; number = regions[number].sharing)
    if (regions[number].has(address)) return {&regions[number], address - regions[number].begin};
  return {};
}

const ShadowRegion* region_of(int pe, bool heap) {
  const uint16_t number = pe < 0 || pe >= most_pes ? 0 : number_of[pe][heap];
  return number == 0 ? nullptr : &regions[number];
}

ShadowAddress shadow_on(const void* symmetric, int pe) {
  const ShadowAddress mine = shadow_of(reinterpret_cast<uintptr_t>(symmetric));
  const ShadowRegion* const theirs = mine ? region_of(pe, mine.region->heap) : nullptr;
  return theirs ? ShadowAddress{theirs, mine.offset} : ShadowAddress{};
}

}  // namespace atrium::race
