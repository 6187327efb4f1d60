// Which PE belongs to which pretended node.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/cli/nodes.hpp"

#include <gtest/gtest.h>

#include <climits>

#include "topology/placement.hpp"

namespace atrium {
namespace {

using Nodes = std::vector<int>;

TEST(Nodes, are_blocks_of_equal_size) {
  EXPECT_EQ(*spread_over_nodes("", 3), (Nodes{0, 0, 0}));
  EXPECT_EQ(*spread_over_nodes("2", 4), (Nodes{0, 0, 1, 1}));
  EXPECT_EQ(*spread_over_nodes("3", 7), (Nodes{0, 0, 0, 1, 1, 2, 2}));
}

TEST(Nodes, have_the_sizes_that_are_given_and_the_last_takes_the_rest) {
  EXPECT_EQ(*spread_over_nodes("1+3", 4), (Nodes{0, 1, 1, 1}));
  EXPECT_EQ(*spread_over_nodes("1+1", 4), (Nodes{0, 1, 1, 1}));
  EXPECT_EQ(*spread_over_nodes("4+1+2", 5), (Nodes{0, 0, 0, 0, 1}));
}

TEST(Nodes, can_be_dealt_out_in_turns) {
  EXPECT_EQ(*spread_over_nodes("2:cyclic", 5), (Nodes{0, 1, 0, 1, 0}));
  EXPECT_EQ(*spread_over_nodes("3+1:cyclic", 4), (Nodes{0, 1, 0, 0}));
}

TEST(Nodes, say_how_many_pes_there_are_where_nothing_else_does) {
  EXPECT_EQ(pes_of_nodes("1+3", 0), 4);
  EXPECT_EQ(pes_of_nodes("2+2+1:cyclic", 7), 5);
  EXPECT_EQ(pes_of_nodes("3", 2), 6);
  EXPECT_EQ(pes_of_nodes("3", 0), 0);
  EXPECT_EQ(pes_of_nodes("", 2), 0);
}

TEST(Nodes, with_more_pes_than_can_be_counted_have_as_many_as_can) {
  EXPECT_EQ(pes_of_nodes("2000000000+2000000000", 0), INT_MAX);
  EXPECT_EQ(pes_of_nodes("2000000000", 2), INT_MAX);
}

TEST(Nodes, without_a_pe_do_not_exist) {
  for (const char* text : {"4", "4:cyclic", "1+1+1+1", "2+2"})
    for (int pes = 1; pes <= 4; ++pes)
      EXPECT_TRUE(Placement(0, *spread_over_nodes(text, pes)).is_valid()) << text << " " << pes;
}

TEST(Nodes, for_which_no_pe_is_left_are_told) {
  EXPECT_EQ(note_on_absent_nodes("5", 4),
            "'5' asks for 5 nodes, and 4 PEs are enough for 4: a node without a PE does not exist");
  EXPECT_EQ(
      note_on_absent_nodes("4+1+2:cyclic", 5),
      "'4+1+2:cyclic' asks for 3 nodes, and 5 PEs are enough for 2: a node without a PE does not exist");
  for (const char* text : {"", "1", "4", "1+3", "1+1", "2:cyclic"})
    EXPECT_EQ(note_on_absent_nodes(text, 4), "") << text;
}

TEST(Nodes, that_cannot_be_counted_are_refused) {
  for (const char* text : {"0", "-1", "x", "2+", "+2", "1+0", "2:", "2:block", ":cyclic"})
    EXPECT_FALSE(spread_over_nodes(text, 4)) << text;
}

}  // namespace
}  // namespace atrium
