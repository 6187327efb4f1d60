// Which endpoints of other nodes an endpoint talks to, and what it keeps of them.
// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint_world.hpp"
#include "network/endpoint.hpp"

namespace atrium {
namespace {

TEST(EndpointPeers, endpoints_of_unequal_numbers_reach_each_other) {
  const std::vector<int> endpoints{1, 5, 2, 3};
  const int nodes = static_cast<int>(endpoints.size());
  World world(conditions_of(9), endpoints);
  for (int node = 0; node < nodes; ++node) {
    for (int endpoint = 0; endpoint < endpoints[static_cast<size_t>(node)]; ++endpoint) {
      for (int target = 0; target < nodes; ++target) {
        if (target == node) continue;
        world.at(node, endpoint).fetch_change(world.place(target, 0), {WordOp::add, 8, 1});
      }
    }
  }
  for (int node = 0; node < nodes; ++node)
    EXPECT_EQ(world.word(node, 0), 11u - static_cast<unsigned>(endpoints[static_cast<size_t>(node)]));
}

TEST(EndpointPeers, an_endpoint_keeps_the_addresses_of_those_that_it_talks_to) {
  const auto kept = [](World& world, int node, int endpoint) {
    std::vector<size_t> counts;
    for (const auto& of_node : world.at(node, endpoint).addresses_kept()) counts.push_back(of_node.size());
    return counts;
  };
  World many(ideal(), 3, 16), unequal(ideal(), {1, 5, 2});
  EXPECT_EQ(kept(many, 0, 5), (std::vector<size_t>{1, 1, 1}));
  EXPECT_EQ(kept(unequal, 0, 0), (std::vector<size_t>{1, 5, 2}));
  EXPECT_EQ(kept(unequal, 1, 4), (std::vector<size_t>{1, 1, 1}));
  EXPECT_EQ(kept(unequal, 2, 0), (std::vector<size_t>{1, 3, 1}));
}

}  // namespace
}  // namespace atrium
