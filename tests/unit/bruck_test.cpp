// Messages of Bruck's algorithm have room for the blocks that they carry.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <vector>

#include "coll/alltoall/bruck_plan.hpp"
#include "topology/placement.hpp"

namespace atrium {
namespace {

// `members`: of each node.
TeamNodes nodes_of(const std::vector<int>& members) {
  Placement::Builder pes;
  for (size_t node = 0; node < members.size(); ++node) pes.add(static_cast<int>(node), members[node]);
  TeamNodes nodes;
  nodes.place(pes.seen_by(0));
  return nodes;
}

// visit(number of the message, its round, its leader)
template <class Visit>
void for_each_numbered_message(const TeamNodes& nodes, int leaders, Visit visit) {
  size_t message = 0;
  detail::for_each_message(nodes, leaders,
                           [&](const SpreadRounds& round, int leader) { visit(message++, round, leader); });
}

TEST(BruckMessages, carry_blocks_of_as_many_distances_as_are_counted) {
  for (int count = 2; count < 90; ++count)
    for (int leaders = 1; leaders <= 4; ++leaders) {
      const TeamNodes nodes = nodes_of(std::vector<int>(static_cast<size_t>(count), leaders));
      const BruckMessages messages(nodes, leaders);
      std::vector<int> moves(static_cast<size_t>(count));
      for_each_numbered_message(nodes, leaders, [&](size_t message, const SpreadRounds& round, int leader) {
        size_t distances = 0;
        detail::for_each_distance(nodes, round, leader, leaders, [&](int distance, int gone) {
          ++distances;
          EXPECT_EQ(moves[static_cast<size_t>(distance)], gone);
          moves[static_cast<size_t>(distance)] += static_cast<int>(round.distance(leader));
        });
        EXPECT_EQ(messages.distances(message), distances) << count << " nodes, " << leaders << " leaders";
      });
      for (int distance = 0; distance < count; ++distance)
        EXPECT_EQ(moves[static_cast<size_t>(distance)], distance);
    }
}

// Of any node, with so many bytes of each member's block as the plan says that fit.
void expect_room(const std::vector<int>& members, int leaders) {
  const TeamNodes nodes = nodes_of(members);
  const BruckMessages messages(nodes, leaders);
  const size_t bytes = detail::bytes_that_fit(nodes, leaders, messages);
  EXPECT_GT(bytes, 0u);
  const int count = nodes.count();
  const auto members_at = [&](int node) {
    return static_cast<size_t>(nodes.members_on((node + 2 * count) % count));
  };
  for (int me = 0; me < count; ++me)
    EXPECT_LE(members_at(me) * members_at(me) * bytes, messages.longest())
        << count << " nodes, " << leaders << " leaders, what node " << me << " has for itself";
  for_each_numbered_message(nodes, leaders, [&](size_t message, const SpreadRounds& round, int leader) {
    for (int me = 0; me < count; ++me) {
      size_t blocks = 0;
      detail::for_each_distance(nodes, round, leader, leaders, [&](int distance, int gone) {
        blocks += members_at(me - gone) * members_at(me + distance - gone);
      });
      EXPECT_LE(blocks * bytes, messages.distances(message) * messages.bytes_of_distance())
          << count << " nodes, " << leaders << " leaders, message " << message << " of node " << me;
    }
  });
}

TEST(BruckMessages, have_room_for_the_blocks_of_larger_nodes) {
  for (const int leaders : {1, 2, 3})
    for (const size_t count : {2, 3, 7, 16, 41})
      for (const size_t larger : {size_t{0}, size_t{1}, size_t{2}, count / 2})
        for (const int more : {1, 5}) {
          std::vector<int> members(count, 3);
          for (size_t node = 0; node < larger; ++node) members[node * (count - 1) / larger] += more;
          expect_room(members, leaders);
        }
}

TEST(BruckMessages, of_nodes_of_one_member_shrink_by_half_where_one_has_two) {
  const auto room = [](const std::vector<int>& members) {
    const TeamNodes nodes = nodes_of(members);
    return detail::bytes_that_fit(nodes, 1, BruckMessages(nodes, 1));
  };
  std::vector<int> members(41, 1);
  const size_t alike = room(members);
  members[0] = 2;
  EXPECT_GE(room(members), alike / 2);
}

}  // namespace
}  // namespace atrium
