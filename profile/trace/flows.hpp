// Which store ended which wait.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "profile/sheet/sheet.hpp"

namespace atrium::profile {

// Events that the page of a PE still holds, and how many it has lost.
struct Kept {
  const Event* ring;
  uint64_t room, first, end;

  const Event& at(uint64_t number) const { return ring[number % room]; }
  uint64_t count() const { return end - first; }
};
Kept kept_events(const Sheet& sheet, int pe);

struct Flow {
  int from_pe, to_pe;
  const Event *store, *wait;
};

// A wait that a PE's store ended: the last store to its words that began before the wait was over, if the wait had
// begun by then. One that took no time waited for nobody.
std::vector<Flow> find_flows(const Sheet& sheet);

}  // namespace atrium::profile
