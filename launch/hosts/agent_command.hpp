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

// What such a command inherits; valid as long as this process's own variables.
std::vector<char*> environment_for(const std::vector<std::string>& command);

// What the user tries to see whether the host can be reached.
std::string trial_by_hand(const Options& options, const std::string& host);

// The agent is srun, without words of the user's.
bool reaches_by_srun(const Options& options);
// The user has not said what reaches other hosts.
bool agent_is_open(const Options& options);

}  // namespace atrium
