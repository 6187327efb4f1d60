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

// Each operand once went to each member, so that a scan on twice as many nodes took more than twice as long.
TEST(Law, a_scan_takes_little_longer_on_twice_as_many_nodes) {
  for (const Costs& costs : {Costs{}, tcp_costs()})
    for (const size_t bytes : {size_t{256}, size_t{4} << 10})
      expect_at_most(1.4, {"scan", 32, 8, bytes, costs}, {"scan", 16, 8, bytes, costs});
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
