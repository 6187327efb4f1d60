// Strided copies of blocks of every size write what they should and nothing beside it.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <vector>

#include "copy/strided.hpp"

namespace atrium {
namespace {

constexpr unsigned char untouched = 0xA5;

void expect_strided(size_t block, size_t count, size_t dest_step, size_t source_step) {
  std::vector<unsigned char> source(count * source_step + 1), dest(count * dest_step + 1, untouched);
  for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<unsigned char>(i % 127);
  std::vector<unsigned char> expected = dest;
  for (size_t i = 0; i < count; ++i)
    for (size_t byte = 0; byte < block; ++byte)
      expected[i * dest_step + byte] = source[i * source_step + byte];
  copy_strided(dest.data(), source.data(), static_cast<ptrdiff_t>(dest_step),
               static_cast<ptrdiff_t>(source_step), block, count);
  EXPECT_EQ(dest, expected) << "block " << block << ", steps " << dest_step << " and " << source_step;
}

TEST(StridedCopy, blocks_of_every_size_land_in_their_places) {
  for (size_t block : {1, 2, 3, 4, 7, 8, 12, 16, 17, 64, 65, 300})
    for (size_t dest_gap : {0, 1, 8})
      for (size_t source_gap : {0, 3, 16}) expect_strided(block, 9, block + dest_gap, block + source_gap);
}

TEST(StridedCopy, no_blocks_move_nothing) { copy_strided(nullptr, nullptr, 8, 8, 8, 0); }

}  // namespace
}  // namespace atrium
