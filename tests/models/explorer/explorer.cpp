// The search: executions one after the other, until the stack of choices has been gone through.
// SPDX-License-Identifier: BSD-3-Clause
#include "explorer/explorer.hpp"

#include "explorer/execution.hpp"

namespace model {
namespace {

// Goes to the next execution in the tree; false when there is none.
bool advance(std::vector<Choice>& choices) {
  while (!choices.empty()) {
    Choice& last = choices.back();
    if (++last.taken < last.ways) return true;
    choices.pop_back();
  }
  return false;
}

}  // namespace

Outcome explore(const Scenario& scenario, const std::set<Site>& weakened, const Limits& limits) {
  Outcome outcome;
  std::vector<Choice> choices;
  do {
    Execution(scenario, choices, weakened, limits, outcome).run();
    ++outcome.executions;
    if (!outcome.failure.empty()) return outcome;
    if (outcome.executions == limits.executions) return outcome;
  } while (advance(choices));
  outcome.complete = true;
  return outcome;
}

}  // namespace model
