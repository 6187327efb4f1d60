// Accesses of symmetric memory, and of private memory while somebody cares.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/compiler/access.hpp"

#include "race/model/access.hpp"
#include "race/model/site.hpp"
#include "race/model/word.hpp"

namespace atrium::race {
namespace {

constexpr uint8_t is_volatile_load = is_read | is_flaglike;

Routine routine_of(uint8_t kind) {
  if (kind & is_atomic) return Routine::atomic;
  return kind & is_write ? Routine::store : Routine::load;
}

// The commonest case: this strand has made the same access since it last synchronised.
bool is_known(const Spot& spot, size_t bytes, uint8_t kind, const Strand& strand) {
  const size_t first = spot.offset & 7;
  if (first + bytes > 8) return false;
  const auto mask = static_cast<uint8_t>(((1u << bytes) - 1) << first);
  const uint64_t epoch = Epoch(strand.tick(), strand.lane, mask, kind).word();
  const Line& line = spot.region->lines[spot.offset / 8];
  for (const Slot& slot : line.slot) {
    const uint64_t there = __atomic_load_n(&slot.epoch, __ATOMIC_RELAXED);
    if (there == epoch || there == (epoch | is_write)) return true;
  }
  return false;
}

}  // namespace

__attribute__((noinline)) void see_symmetric(uint16_t region, uintptr_t address, size_t bytes, uint8_t kind,
                                             void* caller) {
  if (!working) return;
  const Spot spot = spot_among(region, address);
  if (!spot) {
    if (watching_private) see_private(address, bytes, kind, caller);
    return;
  }
  Strand& strand = here();
  if (kind == is_volatile_load) Word(spot).remember_polled(strand);
  if (is_known(spot, bytes, kind, strand)) return;
  touch(spot, bytes, access_now(strand, kind, origin_of({routine_of(kind), caller}, bytes)));
}

__attribute__((noinline)) void see_private(uintptr_t address, size_t bytes, uint8_t kind, void* caller) {
  if (!working || Inside::now()) return;
  touch_private(address, bytes, access_now(here(), kind, origin_of({routine_of(kind), caller}, bytes)));
}

}  // namespace atrium::race
