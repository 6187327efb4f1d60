// What the PEs of a node write into the lobby for each other.
// SPDX-License-Identifier: BSD-3-Clause
#include "lobby/lobby.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace atrium {
namespace {

TEST(Lobby, each_cpu_of_a_large_machine_counts_once) {
  const auto lobby = std::make_unique<Lobby>();
  EXPECT_TRUE(lobby->cpus_of_all().empty());
  lobby->add_cpus(std::vector<int>{0, 1, 511});
  lobby->add_cpus(std::vector<int>{1, 512, 513, 767});
  EXPECT_EQ(lobby->cpus_of_all(), (std::vector<int>{0, 1, 511, 512, 513, 767}));
  lobby->add_cpus(std::vector<int>{8191, 8192, 100000});  // the last two are none that Linux knows
  EXPECT_EQ(lobby->cpus_of_all().back(), 8191);
}

}  // namespace
}  // namespace atrium
