// How messages, partners and times grow with nodes and PEs.
// SPDX-License-Identifier: BSD-3-Clause
#include "points.hpp"

namespace atrium::sim {
namespace {

int bits_of(int nodes) {
  int bits = 0;
  while (1 << bits < nodes) ++bits;
  return bits;
}

TEST(Law, small_collectives_send_as_many_messages_as_the_nodes_have_bits) {
  for (const char* collective : {"barrier", "broadcast", "sum", "fcollect", "collect", "alltoall"})
    for (const int nodes : {16, 50, 128}) {
      const Point point{collective, nodes, 4, 8};
      const Figures figures = measured(point);
      EXPECT_LE(figures.messages_per_node, 3 * bits_of(nodes)) << point.name();
      EXPECT_LE(figures.most_partners, 2 * static_cast<size_t>(bits_of(nodes)) + 4) << point.name();
    }
}

// Where the nodes before one are the last ones, what it passes on lies in two pieces. Both go in one message.
TEST(Law, gathering_a_little_takes_a_message_of_each_node_for_each_bit_of_the_nodes) {
  for (const char* collective : {"fcollect", "scan"})
    for (const int nodes : {4, 16, 50, 128}) {
      const Figures figures = measured({collective, nodes, 1, 8});
      EXPECT_NEAR(figures.messages_per_node - figures.acknowledgements_per_node, bits_of(nodes), 0.01)
          << collective << " on " << nodes << " nodes";
    }
}

void expect_few_partners(const Point& point) {
  EXPECT_LE(measured(point).most_partners, 2 * static_cast<size_t>(bits_of(point.nodes)) + 4) << point.name();
}
void expect_few_partners_on_many_nodes(const char* collective, size_t bytes) {
  for (const auto& [nodes, places] : {std::pair{5, 4}, {16, 4}, {41, 1}, {41, 4}, {128, 1}})
    expect_few_partners({collective, nodes, places, bytes});
}
TEST(Law, collectives_of_8_kib_have_two_partners_for_each_bit_of_the_nodes) {
  for (const char* collective : {"broadcast", "sum", "scan", "fcollect", "collect", "collect_uneven"})
    expect_few_partners_on_many_nodes(collective, size_t{8} << 10);
}

// Each operand once went to each member, so that a scan on twice as many nodes took more than twice as long. Four leaders that share the
// rounds need two of them up to 25 nodes, and three up to 125: the third is half as much again, so two steps count together.
TEST(Law, a_scan_takes_little_longer_on_twice_as_many_nodes) {
  for (const Costs& costs : {Costs{}, tcp_costs()}) {
    expect_at_most(1.4, {"scan", 32, 1, 256, costs}, {"scan", 16, 1, 256, costs});
    expect_at_most(1.4 * 1.4, {"scan", 64, 8, 256, costs}, {"scan", 16, 8, 256, costs});
    expect_at_most(1.4, {"scan", 32, 8, 256, costs}, {"scan", 16, 1, 256, costs});
    expect_at_most(1.4, {"scan", 32, 8, size_t{4} << 10, costs}, {"scan", 16, 8, size_t{4} << 10, costs});
  }
}

// A node learns of k + 1 times as many nodes in a round of k leaders, of twice as many in a round of one.
TEST(Law, several_leaders_of_a_node_take_fewer_rounds_than_one) {
  Comparisons times;
  for (const Costs& costs : {Costs{}, tcp_costs()}) {
    for (const char* collective : {"barrier", "exscan", "fcollect"})
      times.at_most(0.45, {collective, 5, 4, 8, costs}, {collective, 5, 1, 8, costs});  // one round, three
    for (const char* collective : {"barrier", "sum", "exscan", "fcollect"}) {
      times.at_most(0.65, {collective, 16, 4, 8, costs}, {collective, 16, 1, 8, costs});  // two, four
      times.at_most(0.65, {collective, 64, 4, 8, costs}, {collective, 64, 1, 8, costs});  // three, six
    }
    times.at_most(0.85, {"alltoall", 16, 4, 8, costs},
                  {"alltoall", 16, 1, 8, costs});  // of 16 times the blocks
  }
}
// Once 212 us, 27 times what 8 KiB took: a leader alone read what its 63 neighbours had.
TEST(Law, all_members_combine_what_one_leader_would_read_for_long) {
  Comparisons times;
  for (const int nodes : {2, 5, 8})
    for (size_t bytes = 1024; bytes < (size_t{64} << 10); bytes *= 2)
      for (const Costs& costs : {Costs{}, tcp_costs()})
        times.at_most(2.2, {"sum", nodes, 64, 2 * bytes, costs}, {"sum", nodes, 64, bytes, costs});
}
// Of which each round is only a little longer than a message: without its barrier, two of them take less than the tree did for one.
TEST(Law, several_leaders_of_a_node_pass_a_broadcast_on_over_tcp) {
  Comparisons times;
  for (const auto& [nodes, most] : {std::pair{5, 0.75}, {16, 0.75}, {64, 0.75}})
    times.at_most(most, {"broadcast_apart", nodes, 4, 8, tcp_costs()},
                  {"broadcast_apart", nodes, 1, 8, tcp_costs()});
}
// Once one leader sent and gathered everything while its neighbours waited (8 nodes of 8 PEs: 12 us for 128 B).
TEST(Law, leaders_that_share_an_alltoall_gather_a_part_each) {
  Comparisons times;
  for (const auto& [nodes, places] : {std::pair{8, 4}, {8, 8}, {16, 8}, {26, 4}})
    times.at_most(1.5, {"alltoall", nodes, places, 64}, {"alltoall", nodes, 1, 64});
}
TEST(Law, leaders_that_share_rounds_send_a_message_each) {
  for (const auto& [nodes, messages] : {std::pair{3, 2}, {4, 3}, {5, 4}, {9, 4}, {16, 6}, {25, 8}}) {
    const Figures figures = measured({"barrier", nodes, 4, 8});
    EXPECT_DOUBLE_EQ(figures.messages_per_node, messages) << nodes << " nodes";
  }
}
TEST(Law, a_split_has_two_partners_for_each_bit_of_the_nodes) {
  expect_few_partners_on_many_nodes("split", 8);
}

// Made by its members alone: once each asked each, 3,030 messages of a node on 128.
TEST(Law, an_active_set_is_made_by_as_many_messages_as_the_nodes_have_bits) {
  for (const int nodes : {4, 16, 50, 128}) {
    const Figures figures = measured({"new_active_set", nodes, 4, 8});
    const int bits = bits_of(nodes);
    EXPECT_LE(figures.messages_per_node, 8 * bits) << nodes << " nodes";
    EXPECT_LE(figures.transfers_per_node, 3 * bits) << nodes << " nodes";
    EXPECT_LE(figures.most_partners, 2 * static_cast<size_t>(bits) + 4) << nodes << " nodes";
  }
}

TEST(Law, a_sum_of_middle_size_sends_as_many_messages_as_the_nodes_have_bits) {
  for (const int nodes : {48, 64, 100, 128}) {
    const Figures figures = measured({"sum", nodes, 1, size_t{64} << 10});
    const int bits = bits_of(nodes);
    EXPECT_LE(figures.messages_per_node, 4 * bits) << nodes << " nodes";
    EXPECT_LE(figures.most_partners, 2 * static_cast<size_t>(bits) + 4) << nodes << " nodes";
  }
}

// All of a node combine: its size does not matter, where it once was proportional to the time.
TEST(Law, a_large_sum_takes_as_long_on_nodes_of_many_pes_as_of_few) {
  expect_at_most(1.5, {"sum", 3, 32, size_t{1} << 20}, {"sum", 3, 4, size_t{1} << 20});
}

}  // namespace
}  // namespace atrium::sim
