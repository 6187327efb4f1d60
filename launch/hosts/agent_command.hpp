// The words that start an agent on a host.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "launch/cli/options.hpp"

namespace atrium {

// oshrun there gets `words_for_oshrun`. `this_oshrun`: the path of the one that runs. This host needs no command to reach it.
std::vector<std::string> agent_command(const Options& options, const std::string& host,
                                       const std::string& this_oshrun,
                                       const std::vector<std::string>& words_for_oshrun);

// The line with which the user tries whether the host can be reached.
std::string trial_by_hand(const Options& options, const std::string& host);

}  // namespace atrium
