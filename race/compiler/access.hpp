// Loads and stores of instrumented code: the way of those that are private, which must be short, and of the others.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "race/model/job.hpp"
#include "race/shadow/region.hpp"

namespace atrium::race {

void see_symmetric(uint16_t region, uintptr_t address, size_t bytes, uint8_t kind, void* caller);
void see_private(uintptr_t address, size_t bytes, uint8_t kind, void* caller);

__attribute__((always_inline)) inline void see(const volatile void* pointer, size_t bytes, uint8_t kind,
                                               void* caller) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const uint16_t region = region_number(address);
  if (__builtin_expect(region != 0, 0)) return see_symmetric(region, address, bytes, kind, caller);
  if (__builtin_expect(watching_private, 0)) see_private(address, bytes, kind, caller);
}

}  // namespace atrium::race
