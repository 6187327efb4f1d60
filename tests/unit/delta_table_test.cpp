// A table of deltas keeps its address when it grows, and is AWAY wherever it was not filled.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/delta_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

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

// Memory of this process alone, in KiB.
long own_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("RssAnon:", 0) == 0) return std::stol(line.substr(8));
  return -1;
}

// 32 MiB of entries, of which a node's 64 PEs have some, in a block or each on a page of its own.
TEST(DeltaTable, of_four_million_pes_takes_the_memory_of_a_nodes_peers) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the sanitizer keeps memory for each word that is read";
#endif
  constexpr int pes = 1 << 22, places = 64;
  for (const int apart : {1, pes / places}) {
    auto made = create_delta_table(pes, Guard::every_int);
    ASSERT_TRUE(made);
    const long before = own_memory();
    ASSERT_GT(before, 0);
    for (int place = 0; place < places; ++place) (*made)[place * apart] = 4096;
    ptrdiff_t others = 0;
    for (int pe = -64; pe < pes + 64; ++pe) others += (*made)[pe] == ATRIUM_AWAY;
    EXPECT_EQ(others, pes + 2 * 64 - places);
    EXPECT_LT(own_memory() - before, 1024) << apart;
    destroy_delta_table(*made, pes, Guard::every_int);
  }
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
