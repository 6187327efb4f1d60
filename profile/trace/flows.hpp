// Finds, for each wait in a trace, the store of another PE that ended it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "profile/trace/time_line.hpp"

namespace atrium::profile {

struct Flow {
  int from_pe, to_pe;
  const Event *store, *wait;
};

// A wait that a PE's store ended: the last store to its words that began before the wait was over, if the wait had
// begun by then. A wait that took no time was ended by no store, nor was one in which its PE ended.
std::vector<Flow> find_flows(const TimeLine& line);

}  // namespace atrium::profile
