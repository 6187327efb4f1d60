// Hosts that the user named, and how many PEs each of them gets.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "launch/cli/options.hpp"

namespace atrium {

// "a,b:4,10.0.0.1": names or addresses, each with as many slots as PEs may be there. "[::1]:2" with IPv6.
Result<void> add_hosts(Options& options, const std::string& text);
// A line for each: "a", "a:4", "a 4", "a slots=4"; '#' begins a comment.
Result<void> require_readable_host_file(const std::string& path);
Result<void> add_host_file(Options& options, const std::string& path);

// By its own name or Slurm's, or localhost.
bool is_this_host(const std::string& name);
bool is_only_this_host(const Options& options);

// The host of each PE, by place in options.hosts; options.pes is set. `cpus` of each host count where slots are neither
// given nor implied by -n. Hosts without a PE are left over.
Result<std::vector<int>> deal_to_hosts(Options& options, const std::vector<int>& cpus);

// Hosts that will have no PE, as far as that is known before their CPUs are: they need not be reached.
void leave_out_idle_hosts(Options& options);

}  // namespace atrium
