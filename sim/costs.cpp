// Reads files that describe what communication and memory cost on a machine.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/costs.hpp"

#include <fstream>
#include <map>
#include <sstream>

namespace atrium::sim {
namespace {

constexpr const char* reading = "reading the costs of a machine";

std::map<std::string, double Costs::*> known_names() {
  return {
      {"o", &Costs::o},       {"L", &Costs::L},         {"g", &Costs::g},       {"G", &Costs::G},
      {"wake", &Costs::wake}, {"block", &Costs::block}, {"copy", &Costs::copy}, {"combine", &Costs::combine},
      {"tcp", &Costs::tcp}};
}

}  // namespace

Result<Costs> read_costs(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    return Error{"cannot read " + path, "there is no such file, or it may not be read", reading,
                 "the name of a file of sim/costs/"};
  Costs costs;
  auto missing = known_names();
  missing.erase("tcp");
  const auto known = known_names();
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    std::istringstream words(line);
    std::string name, equals, rest;
    double value = -1;
    const bool reads = words >> name >> equals >> value && equals == "=" && value >= 0 && !(words >> rest);
    if (!reads || !known.count(name))
      return Error{path + ", line " + std::to_string(number) + " makes no sense",
                   reads ? "nothing is called " + name : "\"" + line + "\" is not \"name = number\"", reading,
                   "o, L, g, G, wake, block, copy or combine, in nanoseconds; tcp = 1"};
    costs.*known.at(name) = value;
    missing.erase(name);
  }
  if (!missing.empty())
    return Error{path + " is not complete", "it does not say " + missing.begin()->first, reading,
                 "a line \"" + missing.begin()->first + " = NUMBER\""};
  return costs;
}

}  // namespace atrium::sim
