// Explores a model's scenarios, then its mutants, and says what was found.
// SPDX-License-Identifier: BSD-3-Clause
#include "model.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace model {
namespace {

std::string line_at(const Site& site) {
  std::ifstream file(std::string(MODELLED_SOURCES) + "/" + site.file);
  std::string line;
  for (uint32_t number = 0; number < site.line; ++number) std::getline(file, line);
  return line;
}

const Spared* find_spared(const std::vector<Spared>& spared, const Site& site) {
  for (const Spared& one : spared)
    if (site.file == one.file && line_at(site).find(one.text) != std::string::npos) return &one;
  return nullptr;
}

// A scenario that holds: what it takes to explore it, and which sites it comes to.
struct Explored {
  const Scenario* scenario;
  unsigned long long executions;
  std::set<Site> sites;
};

// All that hold are explored, up to the first that does not; those that take few executions first.
bool holds(const std::vector<Scenario>& scenarios, std::vector<Explored>& explored) {
  for (const Scenario& scenario : scenarios) {
    const Outcome outcome = explore(scenario);
    std::printf("%-60s %8llu executions, %s\n", scenario.name.c_str(),
                static_cast<unsigned long long>(outcome.executions),
                !outcome.failure.empty() ? outcome.failure.c_str()
                : outcome.complete       ? "all"
                                         : "NOT ALL");
    if (!outcome.failure.empty()) std::printf("%s", outcome.steps.c_str());
    if (!outcome.failure.empty() || !outcome.complete) return false;
    explored.push_back({&scenario, outcome.executions, outcome.ordered_sites});
  }
  std::stable_sort(explored.begin(), explored.end(),
                   [](const Explored& a, const Explored& b) { return a.executions < b.executions; });
  return true;
}

// Does it fail with this site weakened? A scenario that never comes to the site does not.
bool needs(const Explored& explored, const Site& site) {
  return explored.sites.count(site) != 0 && !explore(*explored.scenario, {site}).failure.empty();
}

bool every_order_is_needed(const std::vector<Explored>& explored, const std::vector<Spared>& spared) {
  std::set<Site> sites;
  for (const Explored& one : explored) sites.insert(one.sites.begin(), one.sites.end());
  bool good = true;
  for (const Site& site : sites) {
    if (site.file.find("tests/models/") != std::string::npos) continue;  // the model's own
    const Spared* allowed = find_spared(spared, site);
    const bool needed =
        std::any_of(explored.begin(), explored.end(), [&](const Explored& one) { return needs(one, site); });
    const char* verdict = needed    ? "needed"
                          : allowed ? allowed->reason
                                    : "NOT NEEDED, or no scenario shows why";
    std::printf("  weakened %-44s %s\n", (site.file + ":" + std::to_string(site.line)).c_str(), verdict);
    good &= needed || allowed;
  }
  return good;
}

// Of a mutant: does some scenario fail?
bool is_found(const std::vector<Scenario>& scenarios) {
  return std::any_of(scenarios.begin(), scenarios.end(), [&](const Scenario& scenario) {
    const Outcome outcome = explore(scenario);
    if (!outcome.failure.empty())
      std::printf("%s: %s\n%s", scenario.name.c_str(), outcome.failure.c_str(), outcome.steps.c_str());
    return !outcome.failure.empty();
  });
}

}  // namespace

int explore_all(const std::vector<Scenario>& scenarios, const std::vector<Spared>& spared, int argc,
                char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (argc > 1 && std::strcmp(argv[1], "--mutant") == 0) return is_found(scenarios) ? 0 : 1;
  std::vector<Explored> explored;
  return holds(scenarios, explored) && every_order_is_needed(explored, spared) ? 0 : 1;
}

}  // namespace model
