// The simulator's files of costs are read, and bad ones are refused.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/costs.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace atrium::sim {
namespace {

// Each test is a process, and several run at once.
Result<Costs> read_text(const std::string& text) {
  const std::string path = testing::TempDir() + "atrium." + std::to_string(getpid()) + ".cost";
  std::ofstream(path) << text;
  auto costs = read_costs(path);
  std::remove(path.c_str());
  return costs;
}

constexpr const char* all =
    "o = 1  # ns\nL = 2\ng = 3\n\nG = 0.5\nwake = 4\nblock = 2\ncopy = 0.5\ncombine = 0.25\n";

TEST(Costs, a_file_with_all_names_is_read) {
  auto costs = read_text(all);
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->overhead(), 1 * nanosecond);
  EXPECT_EQ(costs->card(10), 8 * nanosecond);
  EXPECT_EQ(costs->copying(10), 7 * nanosecond);
}

TEST(Costs, what_is_unknown_or_no_number_is_refused_with_its_line) {
  for (const char* line : {"latency = 5\n", "o = -1\n", "o 1\n", "o = fast\n", "o = 1 2\n"}) {
    auto costs = read_text(std::string(all) + line);
    ASSERT_FALSE(costs) << line;
    EXPECT_NE(costs.error().what.find("line 10"), std::string::npos) << costs.error().what;
  }
}

TEST(Costs, a_name_that_is_missing_is_told) {
  auto costs = read_text("o = 1\n");
  ASSERT_FALSE(costs);
  EXPECT_NE(costs.error().because.find("does not say"), std::string::npos);
}

TEST(Costs, each_machine_of_the_project_can_be_read) {
  for (const char* name : {"tcp", "aries", "seastar", "slingshot", "ndr"}) {
    auto costs = read_costs(std::string(SIM_COSTS) + "/" + name + ".cost");
    EXPECT_TRUE(costs) << (costs ? "" : costs.error().because);
  }
}

}  // namespace
}  // namespace atrium::sim
