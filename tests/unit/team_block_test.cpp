// How large a team's block is (team/block.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "team/block.hpp"
#include "team/block_offsets.hpp"

namespace atrium {
namespace {

TEST(TeamBlock, has_a_flag_for_each_round_of_any_team) {
  EXPECT_EQ(rounds_of(1), 0);
  EXPECT_EQ(rounds_of(2), 1);
  EXPECT_EQ(rounds_of(65536), 16);
  EXPECT_EQ(rounds_of(65537), 17);
  for (const int members : {65537, 1 << 22, INT_MAX}) {
    EXPECT_LE(static_cast<size_t>(rounds_of(members)), std::size(TeamBlock{}.barriers)) << members;
    EXPECT_LE(static_cast<size_t>(rounds_of(members)), std::size(TeamBlock{}.rounds)) << members;
  }
}

// The team of a node's PEs is smaller on some nodes than on others, and its block is as large on all.
TEST(TeamBlock, of_so_many_members_at_most_holds_any_team_of_fewer) {
  for (int most = 1; most < 200; ++most)
    for (int members = 1; members <= most; ++members)
      EXPECT_LE(block_bytes(members), block_bytes_up_to(most)) << members << " of at most " << most;
}

// Leaders have allocated more than other members, on each node alike.
TEST(BlockOffsets, of_leaders_and_others_are_two_ranges_for_each_node) {
  constexpr int nodes = 1024, places = 64, leaders = 4;
  BlockOffsets offsets;
  for (int place = 0; place < places; ++place)  // in another order than it will have
    for (int node = 0; node < nodes; ++node) offsets.add({node, place, place < leaders ? 4096 : 1024});
  offsets.complete();
  EXPECT_LE(offsets.ranges().capacity() * sizeof(BlockRange), size_t{32} * nodes);
  EXPECT_EQ(offsets.at(0, 0), 4096);
  EXPECT_EQ(offsets.at(nodes - 1, leaders - 1), 4096);
  EXPECT_EQ(offsets.at(nodes - 1, leaders), 1024);
  EXPECT_EQ(offsets.at(nodes - 1, places - 1), 1024);
}

TEST(BlockOffsets, say_of_each_member_what_was_added) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    std::vector<BlockRange> all;
    for (int node = 0; node < 5; ++node)
      for (int place = 0; place < 9; ++place)
        if (random() % 3 != 0) all.push_back({node, place, static_cast<int64_t>(random() % 3)});
    std::shuffle(all.begin(), all.end(), random);
    BlockOffsets offsets;
    for (const BlockRange& member : all) offsets.add(member);
    offsets.complete();
    for (const BlockRange& member : all) ASSERT_EQ(offsets.at(member.node, member.place), member.offset);
    bool differ = false;
    for (const BlockRange& member : all) differ |= member.offset != all.front().offset;
    EXPECT_EQ(offsets.are_all_equal(), !differ);
  }
}

}  // namespace
}  // namespace atrium
