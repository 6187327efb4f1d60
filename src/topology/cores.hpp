// The cores of this machine, in the order in which neighbours share most.
// SPDX-License-Identifier: BSD-3-Clause
//
// hwloc knows, but finding out takes it longer than a job of two PEs takes to start and end. So it is asked once
// per job, by who starts the job, and only where there is something to learn (docs/design/launcher.md).
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"

namespace atrium {

struct Core {
  int package = 0;        // socket
  int node = 0;           // NUMA node
  int cache = -1;         // the last cache that it shares with other cores, by its lowest CPU; -1: none
  std::vector<int> cpus;  // those of its hardware threads that were asked for, ascending
};

// The cores to which these CPUs belong, sorted by package, then NUMA node, then cache, then CPU.
Result<std::vector<Core>> cores_of(const std::vector<int>& cpus);

// Do all these CPUs share one last cache and one NUMA node, and have no threads beside them? `system` stands
// for /sys/devices/system; what it does not say does not count.
bool is_uniform(const std::vector<int>& cpus, const std::string& system);

// What hwloc says of these CPUs: of this machine, or of the one that HWLOC_XMLFILE or HWLOC_SYNTHETIC names.
Result<std::vector<Core>> ask_hwloc(const std::vector<int>& cpus);

}  // namespace atrium
