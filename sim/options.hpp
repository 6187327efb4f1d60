// The options of the simulator, `./atrium sim`. The text of --help is in tools/door/sim.sh, which builds nothing for it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/costs.hpp"

namespace atrium::sim {

struct SimOptions {
  enum class Command { measure, random };
  Command command = Command::measure;
  Costs costs;
  std::string costs_name = "default";
  // measure
  std::vector<std::string> collectives{"barrier"};
  std::vector<size_t> sizes{8};
  int nodes = 16, places = 4, endpoints = 4, rounds = 5;
  int larger_nodes = 0;  // with one PE more
  bool csv = false;
  std::string schedule;
  int tree_nodes = 0;  // of a switch
  double tree_narrower = 1;
  // random
  uint64_t seed = 1;
  long jobs = 1000;
  double minutes = 0;  // instead of a number of jobs
  int most_nodes = 300, most_places = 8;
};

Result<SimOptions> read_options(int argc, char** argv);
}  // namespace atrium::sim
