// A table of deltas keeps its address when it grows, and is AWAY wherever it was not filled.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/delta_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "os/memory_limits.hpp"
#include "shmem/types.h"

namespace atrium {
namespace {

bool is_away(const ptrdiff_t* begin, const ptrdiff_t* end) {
  return std::all_of(begin, end, [](ptrdiff_t delta) { return delta == ATRIUM_AWAY; });
}

TEST(DeltaTable, grows_in_place_and_is_away_around_its_entries) {
  constexpr int few = 3, many = 5000;
  auto made = create_delta_table(few);
  ASSERT_TRUE(made);
  ptrdiff_t* table = *made;
  EXPECT_TRUE(is_away(table - 64, table + few + 64));
  std::fill_n(table, few, ptrdiff_t{4096});
  ASSERT_TRUE(extend_delta_table(table, many, Guard::near));
  EXPECT_TRUE(is_away(table - 64, table + many + 64));
  destroy_delta_table(table, few);
}

TEST(DeltaTable, is_away_around_unsigned_numbers_as_well) {
  auto made = create_delta_table(1, Guard::every_number);
  ASSERT_TRUE(made);
  const ptrdiff_t* end = *made + (ptrdiff_t{1} << 32);
  EXPECT_TRUE(is_away(*made - 64, *made + 64));
  if (address_space_left() == SIZE_MAX) {
    EXPECT_TRUE(is_away(end - 64, end));
  }
  destroy_delta_table(*made, 1, Guard::every_number);
}

TEST(DeltaTable, does_not_grow_beyond_its_guard) {
  auto made = create_delta_table(1);
  ASSERT_TRUE(made);
  EXPECT_FALSE(extend_delta_table(*made, 1 << 20, Guard::near));
  destroy_delta_table(*made, 1);
}

TEST(DeltaTable, given_back_serves_again_and_is_away) {
  auto made = create_delta_table(2);
  ASSERT_TRUE(made);
  std::fill_n(*made, 2, ptrdiff_t{4096});
  destroy_delta_table(*made, 2);
  auto again = create_delta_table(300), another = create_delta_table(3);
  ASSERT_TRUE(again);
  ASSERT_TRUE(another);
  EXPECT_NE(*again, *another);
  EXPECT_TRUE(is_away(*again - 64, *again + 300 + 64));
  EXPECT_TRUE(is_away(*another - 64, *another + 3 + 64));
  destroy_delta_table(*again, 300);
  destroy_delta_table(*another, 3);
}

}  // namespace
}  // namespace atrium
