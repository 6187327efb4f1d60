// Loads and stores of instrumented code: a short way for private memory and for accesses that are recorded already, and a long
// way for all others.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "race/model/job.hpp"
#include "race/model/strand.hpp"
#include "race/shadow/region.hpp"

namespace atrium::race {

void see_symmetric(uint16_t region, uintptr_t address, size_t bytes, uint8_t kind, void* caller);
void see_private(uintptr_t address, size_t bytes, uint8_t kind, void* caller);

// What integers of these bytes are to atomics.
constexpr TypeClass class_of_size(size_t bytes) {
  return bytes == 1   ? TypeClass::int8
         : bytes == 2 ? TypeClass::int16
         : bytes == 4 ? TypeClass::int32
                      : TypeClass::int64;
}

// The bytes of a word that belong to an access of `bytes` at `first` of it and may run over its end.
inline uint8_t mask_in_word(size_t first, size_t bytes) {
  return static_cast<uint8_t>(((bytes < 8 ? 1u << bytes : 0x100u) - 1) << first);
}

// Does this access say more than the one that was entered last, a while ago or by another strand?
inline bool covers(Epoch entered, Epoch now) {
  constexpr uint64_t when_and_who = ~uint64_t{0xffff};
  return ((entered.word() ^ now.word()) & when_and_who) == 0 && (now.mask() & ~entered.mask()) == 0 &&
         (entered.kind() == now.kind() || entered.kind() == (now.kind() | is_write));
}

// The commonest case: since it last synchronised or issued an operation, this strand has made the same access, or one that says more. The
// shadow, with eight times the memory, is not even read.
__attribute__((always_inline)) inline bool is_known(const ShadowRegion& region, uintptr_t address,
                                                    size_t bytes, uint8_t kind) {
  const uintptr_t offset = address - region.begin;
  const Strand* const strand = here_if_any();
  if (offset >= region.bytes || !region.recent || !strand) return false;
  const auto entered = [&](size_t word) {
    return Epoch(__atomic_load_n(&region.recent[offset / 8 + word], __ATOMIC_RELAXED));
  };
  const size_t first = offset & 7;
  if (!covers(entered(0), {strand->moment, strand->lane, mask_in_word(first, bytes), kind})) return false;
  if (first + bytes <= 8) return true;
  return first == 0 && bytes == 16 && covers(entered(1), {strand->moment, strand->lane, 0xff, kind});
}

// Requires: `region` is region_number(address).
__attribute__((always_inline)) inline void see_in(uint16_t region, uintptr_t address, size_t bytes,
                                                  uint8_t kind, void* caller) {
  if (__builtin_expect(region != 0, 0)) {
    if ((kind & is_flaglike) || !is_known(regions[region], address, bytes, kind))
      see_symmetric(region, address, bytes, kind, caller);
    return;
  }
  if (__builtin_expect(watching_private(), 0)) see_private(address, bytes, kind, caller);
}

__attribute__((always_inline)) inline void see(const volatile void* pointer, size_t bytes, uint8_t kind,
                                               void* caller) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  see_in(region_number(address), address, bytes, kind, caller);
}

}  // namespace atrium::race
