// A job over the hosts that the user named: starts their agents, gives them their orders, and ends them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "launch/cli/options.hpp"

namespace atrium {

// Returns the exit status of oshrun. Requires: options.hosts is not empty.
int run_across_hosts(Options& options);

}  // namespace atrium
