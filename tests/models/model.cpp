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

// All that hold are explored, up to the first that does not.
bool holds(const std::vector<Scenario>& scenarios, std::set<Site>& sites) {
  for (const Scenario& scenario : scenarios) {
    const Outcome outcome = explore(scenario);
    std::printf("%-60s %8llu executions, %s\n", scenario.name.c_str(),
                static_cast<unsigned long long>(outcome.executions),
                !outcome.failure.empty() ? outcome.failure.c_str()
                : outcome.complete       ? "all"
                                         : "NOT ALL");
    if (!outcome.failure.empty()) std::printf("%s", outcome.steps.c_str());
    if (!outcome.failure.empty() || !outcome.complete) return false;
    sites.insert(outcome.ordered_sites.begin(), outcome.ordered_sites.end());
  }
  return true;
}

// Does some scenario fail with these sites weakened?
bool is_found(const std::vector<Scenario>& scenarios, const std::set<Site>& weakened) {
  return std::any_of(scenarios.begin(), scenarios.end(), [&](const Scenario& scenario) {
    const Outcome outcome = explore(scenario, weakened);
    if (!outcome.failure.empty() && weakened.empty())
      std::printf("%s: %s\n%s", scenario.name.c_str(), outcome.failure.c_str(), outcome.steps.c_str());
    return !outcome.failure.empty();
  });
}

bool every_order_is_needed(const std::vector<Scenario>& scenarios, const std::vector<Spared>& spared,
                           const std::set<Site>& sites) {
  bool good = true;
  for (const Site& site : sites) {
    if (site.file.find("tests/models/") != std::string::npos) continue;  // the model's own
    const Spared* allowed = find_spared(spared, site);
    const bool needed = is_found(scenarios, {site});
    const char* verdict = needed    ? "needed"
                          : allowed ? allowed->reason
                                    : "NOT NEEDED, or no scenario shows why";
    std::printf("  weakened %-44s %s\n", (site.file + ":" + std::to_string(site.line)).c_str(), verdict);
    good &= needed || allowed;
  }
  return good;
}

}  // namespace

int explore_all(const std::vector<Scenario>& scenarios, const std::vector<Spared>& spared, int argc,
                char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::set<Site> sites;
  if (argc > 1 && std::strcmp(argv[1], "--mutant") == 0) return is_found(scenarios, {}) ? 0 : 1;
  const bool good = holds(scenarios, sites);
  return good && every_order_is_needed(scenarios, spared, sites) ? 0 : 1;
}

}  // namespace model
