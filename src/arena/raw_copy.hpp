// Copying whole words without the C library: no sanitizer looks, no static variable is touched.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace atrium {

#define ATRIUM_RAW __attribute__((no_sanitize("address", "undefined"), noinline))

// Requires: addresses and size are multiples of 8. The empty asm keeps the compiler from calling memcpy instead.
ATRIUM_RAW inline void raw_copy(uintptr_t to, uintptr_t from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
    *reinterpret_cast<uint64_t*>(to + i) = *reinterpret_cast<const uint64_t*>(from + i);
    asm volatile("" ::: "memory");
  }
}

ATRIUM_RAW inline bool raw_is_zero(uintptr_t from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += sizeof(uint64_t))
    if (*reinterpret_cast<const uint64_t*>(from + i) != 0) return false;
  return true;
}

}  // namespace atrium
