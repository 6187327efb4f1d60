// The directory of memory that processes share: several regions may have parts of one chunk, and come and go.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/shadow/region.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace atrium::race {
namespace {

constexpr uintptr_t chunk = uintptr_t{1} << chunk_shift;

uint16_t add(uintptr_t begin, size_t bytes) { return add_region({begin, bytes, 0, true, nullptr, nullptr}); }

uint16_t number_at(uintptr_t address) {
  const ShadowAddress found = shadow_of(address);
  return found ? static_cast<uint16_t>(found.region - regions) : uint16_t{0};
}

TEST(Region, shares_its_first_and_its_last_chunk_with_different_ones) {
  const uintptr_t base = 1000 * chunk;
  const uint16_t before = add(base, 64), behind = add(base + 5 * chunk + 4096, 64);
  const uint16_t between = add(base + 64, 5 * chunk);
  EXPECT_EQ(number_at(base + 63), before);
  EXPECT_EQ(number_at(base + 64), between);
  EXPECT_EQ(number_at(base + 3 * chunk), between);
  EXPECT_EQ(number_at(base + 5 * chunk + 63), between);
  EXPECT_EQ(number_at(base + 5 * chunk + 64), 0);
  EXPECT_EQ(number_at(base + 5 * chunk + 4096), behind);
  remove_region(before), remove_region(between), remove_region(behind);
}

TEST(Region, is_gone_when_it_was_removed_and_others_stay) {
  const uintptr_t base = 2000 * chunk;
  uint16_t number[4];
  for (size_t i = 0; i < 4; ++i) number[i] = add(base + i * 3 * chunk / 2, 3 * chunk / 2);
  for (const size_t gone : {1, 3, 0}) {
    remove_region(number[gone]);
    number[gone] = 0;
    for (size_t i = 0; i < 4; ++i)
      for (const uintptr_t at : {uintptr_t{0}, chunk, 3 * chunk / 2 - 1})
        EXPECT_EQ(number_at(base + i * 3 * chunk / 2 + at), number[i]) << i << " without " << gone;
  }
  remove_region(number[2]);
  EXPECT_EQ(directory.number[2004], 0);
}

TEST(Region, gives_its_number_to_a_later_one) {
  const uint16_t first = add(3000 * chunk, 8);
  remove_region(first);
  const uint16_t second = add(4000 * chunk, 8);
  EXPECT_EQ(second, first);
  EXPECT_EQ(number_at(3000 * chunk), 0);
  remove_region(second);
}

}  // namespace
}  // namespace atrium::race
