// What the search for the better way costs, by noise that was recorded and by noise that is made up.
// SPDX-License-Identifier: BSD-3-Clause
//
// A column is a ratio of what the two ways cost without noise; a row is a kind of noise. Noise that is made up multiplies
// what a call costs, and the sums leave it out. Recorded noise is time that other programs took: it is added to a call,
// whichever way that goes, and it is part of the sums, as it is of a run. Regret: what all calls cost above the better
// way. After learning: what the MPI's way costs in parts of what the choice does once it is settled. The table is printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "choice/choice.hpp"

namespace atrium::mpi {
namespace {

constexpr double mpi_ns = 1000;
constexpr int calls = 3000, runs = 200;
const std::vector<double> gains = {5, 2, 1.43, 1.18, 1.08, 1, 0.93, 0.87, 0.67, 0.5, 0.2};

using Random = std::mt19937;
// What a call costs that costs so much without noise.
using Noise = std::function<double(Random& random, double cost, int call)>;

double chance(Random& random) { return std::uniform_real_distribution<>(0, 1)(random); }
double little(Random& random) { return 1 + 0.1 * chance(random); }

Noise phases(int length) {
  return [length](Random& random, double cost, int call) {
    return cost * little(random) * ((call / length) % 2 ? 3 : 1);
  };
}

struct Named {
  std::string name;
  Noise noise;
  bool counts = false;  // in the sums
};

std::vector<Named> made_up() {
  return {{"none", [](Random&, double cost, int) { return cost; }},
          {"up to twice", [](Random& random, double cost, int) { return cost * (1 + chance(random)); }},
          {"1 in 50 ten times", [](Random& random, double cost,
                                   int) { return cost * little(random) * (chance(random) < 0.02 ? 10 : 1); }},
          {"heavy tail (Pareto 1.1)",
           [](Random& random, double cost, int) { return cost * std::pow(1 - chance(random), -1 / 1.1); }},
          {"1 in 3 up to 20 times",
           [](Random& random, double cost, int) {
             return cost * little(random) * (chance(random) < 0.33 ? 1 + 19 * chance(random) : 1);
           }},
          {"3 times for 8 calls", phases(8)},
          {"3 times for 64 calls", phases(64)},
          {"3 times for 1000 calls", phases(1000)}};
}

// Calls of both ways in turns on a busy machine (bench/mpi/record.c), in parts of what the MPI's way costs a tenth of its
// calls at most; what is above that was taken by others.
std::vector<Named> recorded() {
  std::vector<Named> found;
  for (const auto& file : std::filesystem::directory_iterator(RECORDED_NOISE)) {
    std::vector<double> columns[2];
    std::ifstream lines(file.path());
    for (double mpi, own; lines >> mpi >> own;) columns[0].push_back(mpi), columns[1].push_back(own);
    for (int way = 0; way < 2; ++way) {
      std::vector<double>& costs = columns[way];
      std::vector<double> sorted = costs;
      std::sort(sorted.begin(), sorted.end());
      const double undisturbed = sorted.at(sorted.size() / 10);
      for (double& cost : costs) cost = std::max(0.0, cost / undisturbed - 1) * mpi_ns;
      found.push_back({file.path().stem().string() + (way ? " (ours)" : " (its own)"),
                       [costs](Random&, double cost, int call) {
                         return cost + costs[static_cast<std::size_t>(call) % costs.size()];
                       },
                       true});
    }
  }
  std::sort(found.begin(), found.end(), [](const Named& a, const Named& b) { return a.name < b.name; });
  return found;
}

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
