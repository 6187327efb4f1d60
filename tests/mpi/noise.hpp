// What disturbs calls: noise that is made up, and noise that was recorded.
// SPDX-License-Identifier: BSD-3-Clause
//
// Noise that is made up multiplies what a call costs, and the sums leave it out. Recorded noise is time that other programs
// took: it is added to a call, whichever way that goes, and it is part of the sums, as it is of a run.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace atrium::mpi {

inline constexpr double mpi_ns = 1000;  // what a call costs by the MPI
// How many times as fast our way is: a column each.
inline const std::vector<double> gains = {5, 2, 1.43, 1.18, 1.08, 1, 0.93, 0.87, 0.67, 0.5, 0.2};

using Random = std::mt19937;
// What a call costs that costs so much without noise.
using Noise = std::function<double(Random& random, double cost, int call)>;

inline double chance(Random& random) { return std::uniform_real_distribution<>(0, 1)(random); }
inline double little(Random& random) { return 1 + 0.1 * chance(random); }

inline Noise phases(int length) {
  return [length](Random& random, double cost, int call) {
    return cost * little(random) * ((call / length) % 2 ? 3 : 1);
  };
}

struct Named {
  std::string name;
  Noise noise;
  bool counts = false;  // in the sums
};

inline std::vector<Named> made_up() {
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
inline std::vector<Named> recorded() {
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

}  // namespace atrium::mpi
