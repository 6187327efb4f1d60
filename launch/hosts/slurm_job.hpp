// The Slurm job around oshrun: hosts and PEs where the user names none, and srun as the agent that reaches the hosts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

#include "launch/cli/options.hpp"

namespace atrium {

// As Slurm writes tasks or CPUs of nodes: "2(x3),1" is 2, 2, 2, 1. Empty: it cannot be read.
std::vector<int> counts_by_node(std::string_view text);

// Fills in what the command line leaves open: hosts, PEs, the agent. Hosts that srun shall reach are called as Slurm
// calls them.
Result<void> take_slurm_job(Options& options);

}  // namespace atrium
