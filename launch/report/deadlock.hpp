// What is said when all PEs wait for each other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "launch/process/pes.hpp"
#include "launch/report/standstill.hpp"

namespace atrium {

// Lines for people: each PE's wait and who would have to end it, the cycle if there is one, what to try. Or the hint that it
// may be so. `ends`: the job is ended now.
std::string describe_judgement(const Judgement& judgement, const Pes& pes, const Registered& registered,
                               bool ends);

}  // namespace atrium
