// Who is on which node, for placements of every kind (topology/placement.hpp), and teams of such PEs.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <ranges>
#include <utility>

#include "team/team.hpp"

namespace atrium {
namespace {

std::vector<int> pes_of(const Placement& pes, int node) {
  return {pes.pes_of(node).begin(), pes.pes_of(node).end()};
}

TEST(Placement, before_the_job_is_joined_there_is_one_pe) {
  const Placement alone;
  EXPECT_TRUE(alone.is_valid());
  EXPECT_EQ(alone.pes(), 1);
  EXPECT_EQ(alone.places(), 1);
  EXPECT_EQ(pes_of(alone, 0), std::vector{0});
}

TEST(Placement, on_one_node_place_and_number_are_the_same) {
  const Placement pes = Placement::on_one_node(2, 5);
  EXPECT_TRUE(pes.is_valid());
  EXPECT_EQ(pes.nodes(), 1);
  EXPECT_EQ(pes.place(), 2);
  EXPECT_EQ(pes.places(), 5);
  for (int pe = 0; pe < 5; ++pe) EXPECT_EQ(pes.place_of(pe), pe);
}

TEST(Placement, round_robin_gives_every_node_each_nth_pe) {
  const Placement pes(4, {0, 1, 2, 0, 1, 2, 0});
  EXPECT_TRUE(pes.is_valid());
  EXPECT_EQ(pes.node(), 1);
  EXPECT_EQ(pes.place(), 1);
  EXPECT_EQ(pes.places(), 2);
  EXPECT_EQ(pes.most_places(), 3);
  EXPECT_EQ(pes_of(pes, 0), (std::vector{0, 3, 6}));
  EXPECT_EQ(pes_of(pes, 2), (std::vector{2, 5}));
  EXPECT_TRUE(pes.is_here(1));
  EXPECT_FALSE(pes.is_here(0));
}

// What the table says of each PE is what the list says. Places are counted here by themselves.
void expect_to_describe(const Placement& pes, const std::vector<int>& list) {
  ASSERT_TRUE(pes.is_valid());
  ASSERT_EQ(pes.pes(), static_cast<int>(list.size()));
  std::vector<int> places(static_cast<size_t>(pes.nodes()));
  bool goes_on = true;
  for (size_t pe = 0; pe < list.size(); ++pe) {
    const int number = static_cast<int>(pe), node = list[pe], place = places[static_cast<size_t>(node)]++;
    ASSERT_EQ(pes.node_of(number), node) << number;
    ASSERT_EQ(pes.place_of(number), place) << number;
    ASSERT_EQ(pes.pes_of(node)[static_cast<size_t>(place)], number);
    size_t end = pe;
    while (end < list.size() && list[end] == node) ++end;
    ASSERT_EQ(pes.run_from(number), static_cast<int>(end - pe)) << number;
    goes_on &= pe == 0 || node == list[pe - 1] || node == list[pe - 1] + 1;
  }
  for (int node = 0; node < pes.nodes(); ++node)
    ASSERT_EQ(pes.pes_of(node).size(), static_cast<size_t>(places[static_cast<size_t>(node)]));
  EXPECT_EQ(pes.lies_node_after_node(), goes_on && list.front() == 0);
}

// Pieces that are dealt regularly, to some of the nodes, and what is not regular about them: the last run, and what comes next.
TEST(Placement, what_is_dealt_in_any_way_is_described) {
  std::mt19937 random(11);
  const auto up_to = [&](int most) { return 1 + static_cast<int>(random() % static_cast<unsigned>(most)); };
  for (int job = 0; job < 2000; ++job) {
    const int nodes = up_to(7);
    std::vector<int> list;
    for (int node = 0; node < nodes; ++node) list.insert(list.end(), static_cast<size_t>(up_to(3)), node);
    for (int piece = up_to(4); piece > 1; --piece) {
      const int first = up_to(nodes) - 1, some = up_to(nodes - first), run = up_to(4), count = up_to(40);
      for (int i = 0; i < count; ++i) list.push_back(first + i / run % some);
    }
    expect_to_describe(Placement(up_to(static_cast<int>(list.size())) - 1, list), list);
    if (HasFatalFailure()) return;
  }
}

TEST(Placement, any_list_of_nodes_is_counted) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const int nodes = 1 + static_cast<int>(random() % 6);
    std::vector<int> list;
    for (int node = 0; node < nodes; ++node) list.push_back(node);
    for (int more = static_cast<int>(random() % 30); more > 0; --more)
      list.push_back(static_cast<int>(random() % static_cast<unsigned>(nodes)));
    std::shuffle(list.begin(), list.end(), random);
    const int me = static_cast<int>(random() % list.size());
    const Placement pes(me, list);
    ASSERT_EQ(pes.nodes(), nodes);
    expect_to_describe(pes, list);
    if (HasFatalFailure()) return;
  }
}

TEST(Placement, knows_pes_of_unequal_blocks) {
  Placement::Builder builder;
  std::vector<int> list;
  for (const auto& [node, count] : {std::pair{0, 7}, {1, 1}, {2, 30}, {0, 2}, {3, 5}}) {
    builder.add(node, count);
    list.insert(list.end(), static_cast<size_t>(count), node);
  }
  const Placement pes = builder.seen_by(7), same(7, list);
  EXPECT_EQ(pes.stretches(), 4u);  // node 1 is the short end of a deal to nodes 0 and 1
  EXPECT_TRUE(pes.nodes_appear_in_order());
  EXPECT_TRUE(std::ranges::equal(pes.words(), same.words()));
  EXPECT_EQ(pes_of(pes, 0), (std::vector{0, 1, 2, 3, 4, 5, 6, 38, 39}));
  EXPECT_EQ(pes.run_from(10), 28);
  EXPECT_EQ(pes.seen_by(39).place(), 8);
  EXPECT_FALSE(Placement(0, {1, 0}).nodes_appear_in_order());
}

// Four million PEs: what a PE holds of them is as long as there are nodes, and none of it is its own. In blocks, in turn, and in turn
// by fours.
TEST(Placement, of_millions_of_pes_takes_memory_for_nodes) {
  constexpr int nodes = 1 << 15, places = 128;
  for (const int run : {places, 1, 4}) {
    Placement::Builder builder;
    for (int turn = 0; turn < nodes * places / run; ++turn) builder.add(turn % nodes, run);
    const Placement pes = builder.seen_by(nodes * places - 1);
    EXPECT_EQ(pes.stretches(), 1u);
    EXPECT_LE(pes.words().size_bytes(), 9u * nodes);
    for (int pe = 0; pe < pes.pes(); pe += 12345) {
      ASSERT_EQ(pes.node_of(pe), pe / run % nodes);
      ASSERT_EQ(pes.place_of(pe), pe / run / nodes * run + pe % run);
    }
    EXPECT_EQ(pes.seen_by(5).words().data(), pes.words().data());
  }
}

TEST(Placement, a_table_that_makes_no_sense_is_refused) {
  const Placement pes(1, {0, 0, 1, 1, 2, 0, 0, 1, 2, 2, 1});
  const std::vector<int32_t> good(pes.words().begin(), pes.words().end());
  const auto read = [&](const std::vector<int32_t>& words) {
    return Placement::reading(1, 11, pes.stretches(), 3, words, nullptr);
  };
  ASSERT_TRUE(read(good));
  EXPECT_TRUE(read(good)->is_valid());
  for (size_t word = 0; word < good.size(); ++word)
    for (const int32_t wrong : {-1, 7, 12, 1 << 30}) {
      std::vector<int32_t> words = good;
      if (words[word] == wrong) continue;
      words[word] = wrong;
      EXPECT_FALSE(read(words)) << "word " << word;
    }
  EXPECT_FALSE(Placement::reading(11, 11, pes.stretches(), 3, good, nullptr));
}

TEST(Members, a_regular_distance_needs_no_list) {
  for (const std::vector<int>& pes : {std::vector{5}, {0, 1, 2}, {1, 4, 7, 10}, {9, 7, 5}}) {
    Team team;
    team.size = static_cast<int>(pes.size());
    team.set_members(pes);
    EXPECT_FALSE(team.listed);
    for (int i = 0; i < team.size; ++i) EXPECT_EQ(team.world_pe(i), pes[static_cast<size_t>(i)]);
  }
}

TEST(Members, a_list_is_searched_in_both_directions) {
  Team team;
  const std::vector<int> pes{1, 2, 6, 7};
  team.size = 4;
  team.set_members(pes);
  EXPECT_TRUE(team.listed);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(team.world_pe(i), pes[static_cast<size_t>(i)]);
  EXPECT_EQ(team.member_of(6), 2);
  EXPECT_EQ(team.member_of(3), -1);
}

}  // namespace
}  // namespace atrium
