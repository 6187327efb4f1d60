// How large a team's block is (team/block.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "team/block.hpp"

namespace atrium {
namespace {

TEST(TeamBlock, has_a_flag_for_each_round_of_any_team) {
  EXPECT_EQ(rounds_of(1), 0);
  EXPECT_EQ(rounds_of(2), 1);
  EXPECT_EQ(rounds_of(65536), 16);
  EXPECT_EQ(rounds_of(65537), 17);
  for (const int members : {65537, 1 << 22, INT_MAX}) {
    EXPECT_LE(static_cast<size_t>(rounds_of(members)), std::size(TeamBlock{}.meetings)) << members;
    EXPECT_LE(static_cast<size_t>(rounds_of(members)), std::size(TeamBlock{}.rounds)) << members;
  }
}

// The team of a node's PEs is smaller on some nodes than on others, and its block is as large on all.
TEST(TeamBlock, of_so_many_members_at_most_holds_any_team_of_fewer) {
  for (int most = 1; most < 200; ++most)
    for (int members = 1; members <= most; ++members)
      EXPECT_LE(block_bytes(members), block_bytes_up_to(most)) << members << " of at most " << most;
}

}  // namespace
}  // namespace atrium
