// What is said when all PEs wait for each other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "launch/cli/options.hpp"
#include "launch/report/standstill.hpp"
#include "launch/report/wait_places.hpp"

namespace atrium {

// Gives the waits that were judged their details. False where one of them is no more.
bool add_details(Judgement& judgement, const std::vector<PlacedWait>& placed);

// Lines for people: each PE's wait and who would have to end it, the cycle if there is one, what to try. Or the hint that it
// may be so. `ends`: the job is ended now.
// Requires: add_details(judgement, placed).
std::string describe_judgement(const Judgement& judgement, const std::vector<PlacedWait>& placed,
                               const Options& options, bool ends);

}  // namespace atrium
