// FNV-1a: a hash that every process computes alike, whatever its C++ library.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

namespace atrium {

inline constexpr uint64_t hash_of_nothing = 0xcbf29ce484222325;

constexpr uint64_t add_to_hash(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x100000001b3; }

constexpr uint64_t hash_of(std::string_view text) {
  uint64_t hash = hash_of_nothing;
  for (const char each : text) hash = add_to_hash(hash, static_cast<unsigned char>(each));
  return hash;
}

}  // namespace atrium
