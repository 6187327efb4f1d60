// How large a team's block is, and what of it is cleared (team/block.hpp).
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

// A block of memory that another team had, all of it written.
std::vector<std::byte> used_memory(int members) {
  return std::vector<std::byte>(block_bytes(members) + alignof(TeamBlock), std::byte{0xff});
}
TeamBlock& block_in(std::vector<std::byte>& memory) {
  const auto begin = reinterpret_cast<uintptr_t>(memory.data());
  return *reinterpret_cast<TeamBlock*>((begin + alignof(TeamBlock) - 1) / alignof(TeamBlock) *
                                       alignof(TeamBlock));
}

TEST(TeamBlock, that_is_cleared_has_no_flag_of_the_team_before) {
  for (const int members : {1, 2, 3, 8, 32, 33, 1000}) {
    auto memory = used_memory(members);
    TeamBlock& block = block_in(memory);
    clear_block(block, members, block_bytes(members));
    for (const Epoch& barrier : block.barriers) EXPECT_EQ(barrier, 0u);
    for (const EpochLine* line :
         {&block.arrivals, &block.released, &block.acknowledgements, &block.neighbours})
      EXPECT_EQ(line->epoch, 0u);
    for (const Epoch& subtree : block.subtrees) EXPECT_EQ(subtree, 0u);
    for (int round = 0; round < rounds_of(members); ++round) {
      EXPECT_EQ(block.rounds[round].epoch, 0u);
      for (const auto& digest : block.rounds[round].digests) EXPECT_EQ(digest, 0u);
    }
    for (const EagerSlot& slot : block.eager_slots) EXPECT_EQ(slot.epoch, 0u);
    for (int half = 0; has_exchange(members) && half < 2; ++half)
      for (int from = 0; from < members; ++from)
        EXPECT_EQ(block.exchange_slot(half, members, from).epoch, 0u) << from << " of " << members;
    for (const Notice& notice : block.notices) EXPECT_EQ(notice.number, 0u);
    for (const Notice& call : block.past_calls) EXPECT_EQ(call.number, 0u);
    EXPECT_EQ(block.past_calls_read, 0u);
    EXPECT_EQ(block.last_call.number, 0u);
  }
}

// It is zero, and the system need not give it before it is used.
TEST(TeamBlock, is_not_touched_where_nothing_was_written) {
  auto memory = used_memory(8);
  TeamBlock& block = block_in(memory);
  const auto* const bytes = reinterpret_cast<const std::byte*>(&block);
  clear_block(block, 8, 100);
  EXPECT_EQ(bytes[99], std::byte{0});
  for (size_t i = 100; i < block_bytes(8); ++i) ASSERT_EQ(bytes[i], std::byte{0xff}) << i;
}

}  // namespace
}  // namespace atrium
