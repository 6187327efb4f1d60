// Loads and stores of the program: of symmetric memory always, of private memory while it is checked.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/compiler/access.hpp"

#include "race/model/access.hpp"
#include "race/model/dialect.hpp"
#include "race/model/site.hpp"
#include "race/model/word.hpp"

namespace atrium::race {
namespace {

constexpr uint8_t is_volatile_load = is_read | is_flaglike;

Routine routine_of(uint8_t kind) {
  if (kind & is_atomic) return Routine::atomic;
  return kind & is_write ? Routine::store : Routine::load;
}

// So that is_known() finds it, with the strand's moment instead of its tick. Where an access ends beyond the second word, the words between do not matter.
void enter(const ShadowAddress& shadow, size_t bytes, uint8_t kind, const Strand& strand) {
  uint64_t* const recent = shadow.region->recent;
  const size_t first = shadow.offset & 7, word = shadow.offset / 8;
  if (!recent || shadow.offset + bytes > shadow.region->bytes) return;
  const auto epoch = [&](uint8_t mask) { return Epoch(strand.moment, strand.lane, mask, kind).word(); };
  __atomic_store_n(&recent[word], epoch(mask_in_word(first, bytes)), __ATOMIC_RELAXED);
  if (first == 0 && bytes == 16) __atomic_store_n(&recent[word + 1], epoch(0xff), __ATOMIC_RELAXED);
}

// A flag, where volatile accesses order: what the strand did before it stores is known to who loads.
void see_flag(const ShadowAddress& shadow, size_t bytes, uint8_t kind, void* caller) {
  Strand& strand = here();
  const Origin origin = origin_in_program({routine_of(kind), caller}, bytes);
  if (kind & is_write)
    settle_polled(strand);
  else
    Word(shadow).remember_polled(strand);
  touch(shadow, bytes,
        access_now(strand, static_cast<uint8_t>(kind | atomic_kind(class_of_size(bytes), 0)), origin));
  if (kind & is_write) Word(shadow).release(strand, Word::Release::replace, origin, nullptr, -1, nullptr);
}

}  // namespace

__attribute__((noinline)) void see_symmetric(uint16_t region, uintptr_t address, size_t bytes, uint8_t kind,
                                             void* caller) {
  if (!working || Inside::now()) return;
  const ShadowAddress shadow = shadow_among(region, address);
  if (!shadow) {
    if (watching_private()) see_private(address, bytes, kind, caller);
    return;
  }
  if ((kind & is_flaglike) && dialect.volatiles_order) return see_flag(shadow, bytes, kind, caller);
  Strand& strand = here();
  if (kind == is_volatile_load) Word(shadow).remember_polled(strand);
  touch(shadow, bytes, access_now(strand, kind, origin_in_program({routine_of(kind), caller}, bytes)));
  enter(shadow, bytes, kind, strand);
}

__attribute__((noinline)) void see_private(uintptr_t address, size_t bytes, uint8_t kind, void* caller) {
  if (!working || Inside::now()) return;
  touch_private(address, bytes,
                access_now(here(), kind, origin_in_program({routine_of(kind), caller}, bytes)));
}

}  // namespace atrium::race
