// Who is on which node, for placements of every kind (topology/placement.hpp), and teams of such PEs.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

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
    ASSERT_TRUE(pes.is_valid());
    ASSERT_EQ(pes.nodes(), nodes);
    for (size_t pe = 0; pe < list.size(); ++pe) {
      const int number = static_cast<int>(pe);
      ASSERT_EQ(pes.node_of(number), list[pe]);
      ASSERT_EQ(pes_of(pes, list[pe])[static_cast<size_t>(pes.place_of(number))], number);
    }
  }
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
