// The directory that leads from an address to the symmetric memory that it belongs to, and to its shadow.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/shadow/region.hpp"

#include <sys/mman.h>

#include <mutex>
#include <vector>

#include "interpose/say.hpp"
#include "race/shadow/untouched.hpp"

namespace atrium::race {
namespace {

uint16_t number_of[most_pes][2];  // by PE, globals and heap; 0: none

SpinLock numbers_lock;
std::vector<uint16_t>& free_numbers = *new std::vector<uint16_t>;
uint16_t numbers_given = 0;

uint16_t take_number() {
  const std::lock_guard guard(numbers_lock);
  if (!free_numbers.empty()) {
    const uint16_t number = free_numbers.back();
    free_numbers.pop_back();
    return number;
  }
  if (numbers_given + size_t{1} < most_regions) return ++numbers_given;
  interpose::say_once(
      "more parts of windows at a time than the check tells apart (8,191): some races are not seen");
  return 0;
}

size_t bytes_of_recent(size_t bytes) { return (bytes + 7) / 8 * sizeof(uint64_t); }

uint64_t* room_for_recent(size_t bytes) {
  auto* recent = untouched<uint64_t>(bytes_of_recent(bytes) / sizeof(uint64_t));
  if (recent) madvise(recent, bytes_of_recent(bytes), MADV_DONTDUMP);
  return recent;
}

uintptr_t first_chunk(const ShadowRegion& region) { return region.begin >> chunk_shift; }
uintptr_t last_chunk(const ShadowRegion& region) { return (region.begin + region.bytes - 1) >> chunk_shift; }

// Where it stands what else has a part of a chunk that this region has a part of; null: it has all of the chunk.
uint16_t* other_in(ShadowRegion& region, uintptr_t chunk) {
  if (chunk == first_chunk(region)) return &region.sharing[0];
  return chunk == last_chunk(region) ? &region.sharing[1] : nullptr;
}

uint16_t& first_in(uintptr_t chunk) { return directory.number[chunk & (chunks - 1)]; }

void unlink(uint16_t number, uintptr_t chunk) {
  uint16_t* link = &first_in(chunk);
  while (link && *link != 0 && *link != number) link = other_in(regions[*link], chunk);
  if (!link || *link == 0) return;
  const uint16_t* const next = other_in(regions[number], chunk);
  *link = next ? *next : 0;
}

}  // namespace

Directory directory;
ShadowRegion regions[most_regions];

uint16_t add_region(const ShadowRegion& added) {
  const uint16_t number = added.bytes == 0 ? 0 : take_number();
  if (number == 0) return 0;
  ShadowRegion& region = regions[number];
  region = added;
  if (region.begin == 0) return number;
  region.recent = room_for_recent(region.bytes);
  for (uintptr_t chunk = first_chunk(region); chunk <= last_chunk(region); ++chunk) {
    if (uint16_t* const other = other_in(region, chunk)) *other = first_in(chunk);
    first_in(chunk) = number;
  }
  return number;
}

void remove_region(uint16_t number) {
  if (number == 0) return;
  ShadowRegion& region = regions[number];
  for (uintptr_t chunk = first_chunk(region); chunk <= last_chunk(region); ++chunk) unlink(number, chunk);
  if (region.recent) munmap(region.recent, bytes_of_recent(region.bytes));
  region = {};
  const std::lock_guard guard(numbers_lock);
  free_numbers.push_back(number);
}

void add_symmetric(const ShadowRegion& region) { number_of[region.owner][region.heap] = add_region(region); }

ShadowAddress shadow_among(uint16_t number, uintptr_t address) {
  while (number != 0) {
    if (regions[number].has(address)) return {&regions[number], address - regions[number].begin};
    const uint16_t* const other = other_in(regions[number], address >> chunk_shift);
    number = other ? *other : 0;
  }
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
