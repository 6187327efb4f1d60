// What the CPUs of a PE share: a last-level cache, a NUMA node. PEs with the same numbers are close to each
// other. SPDX-License-Identifier: BSD-3-Clause
//
// Read from /sys and nowhere else, one or two small files: a topology library takes longer to look at the
// machine than a job takes to start (docs/design/launcher.md).
#pragma once

#include <string>
#include <vector>

namespace atrium {

inline constexpr int no_domain = -1;  // the CPUs lie in several, or the machine does not say

struct Domain {
  int cache = no_domain;  // the lowest CPU that shares the last-level cache
  int node = no_domain;   // NUMA node
};

// `cpus`: where the PE may run. `near_node`: the NUMA node of one of them.
// `system` stands for /sys/devices/system, so that recorded machines can be read.
Domain domain_of(const std::vector<int>& cpus, int near_node, const std::string& system);

// Of this process.
Domain domain_of_this_process(const std::vector<int>& cpus);

// The domains of all PEs of the job, by number: set once, at init, the same on every PE.
void set_domains_of_pes(std::vector<Domain> domains);
const Domain& domain_of_pe(int pe);

// Machines that are not here: `pes` PEs in `count` domains of neighbours, as equal as can be.
std::vector<Domain> pretend_domains(int pes, int count);

}  // namespace atrium
