// The cores of this machine that this process may use, in the order in which neighbours share most.
// SPDX-License-Identifier: BSD-3-Clause
//
// Read from /sys and nowhere else: a topology library takes longer to look at the machine than a job to
// start.
#pragma once

#include <string>
#include <vector>

namespace atrium {

struct Core {
  int package = 0;        // socket
  int node = 0;           // NUMA node
  std::vector<int> cpus;  // its hardware threads that are allowed here, ascending
};

// Sorted by package, then NUMA node, then CPU. A machine that tells nothing has one core per CPU.
std::vector<Core> allowed_cores();

// The same for given CPUs, and for a recorded machine: `system` stands for /sys/devices/system.
std::vector<Core> read_cores(const std::vector<int>& cpus, const std::string& system);

}  // namespace atrium
