// What the search for the better way costs, by noise that was recorded and by noise that is made up.
// SPDX-License-Identifier: BSD-3-Clause
//
// A column is a ratio of what the two ways cost without noise; a row is a kind of noise (noise.hpp). Regret: what all calls
// cost above the better way. After learning: what the MPI's way costs in parts of what the choice does once it is settled.
// The table is printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "choice/choice.hpp"
#include "noise.hpp"

namespace atrium::mpi {
namespace {

constexpr int calls = 3000, runs = 200;

struct Costs {
  double regret = 0, after_learning = 0;
};

Costs play(const Named& row, double gain, unsigned seed) {
  Random random(seed);
  const int begin = static_cast<int>(random() % 1000);
  const double own_ns = mpi_ns / gain, better_ns = std::min(mpi_ns, own_ns);
  Choice choice;
  double all = 0, better = 0, settled = 0, plain = 0;
  for (int call = 0; call < calls; ++call) {
    const bool was_settled = choice.is_settled();
    const double cost = choice.next() == Way::own ? own_ns : mpi_ns;
    const double took = row.noise(random, cost, begin + call), noise = row.counts ? took - cost : 0;
    all += cost + noise;
    better += better_ns + noise;
    if (was_settled) settled += cost + noise, plain += mpi_ns + noise;
    choice.took(took);
    if (choice.is_complete()) choice.decide(choice.measured());
  }
  return {all / better - 1, plain / settled};
}

void expect_little_regret(const std::vector<Named>& rows) {
  std::printf("%-46s", "gain of our way");
  for (double gain : gains) std::printf("  %11.2f", gain);
  std::printf("\n");
  for (const Named& row : rows) {
    std::printf("%-46s", row.name.c_str());
    for (double gain : gains) {
      Costs mean;
      for (unsigned seed = 1; seed <= runs; ++seed) {
        const Costs costs = play(row, gain, seed);
        mean.regret += costs.regret / runs;
        mean.after_learning += costs.after_learning / runs;
      }
      std::printf("  %4.1f%% %5.2f", 100 * mean.regret, mean.after_learning);
      EXPECT_LT(mean.regret, 0.05) << row.name << ", gain " << gain;
      EXPECT_GE(mean.after_learning, 0.97) << row.name << ", gain " << gain;
    }
    std::printf("\n");
  }
}

TEST(Regret, is_below_a_twentieth_with_noise_that_is_made_up) { expect_little_regret(made_up()); }

TEST(Regret, is_below_a_twentieth_with_noise_that_was_recorded) {
  const std::vector<Named> rows = recorded();
  ASSERT_GE(rows.size(), 5u);
  expect_little_regret(rows);
}

}  // namespace
}  // namespace atrium::mpi
