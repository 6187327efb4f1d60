// The affinity mask, however large the machine, and the cgroup quota.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/cpus.hpp"

#include "atrium_primitives.h"
#include "core/number_list.hpp"
#include "os/small_file.hpp"

namespace atrium {

std::vector<int> allowed_cpus() {
  atrium_cpu_mask mask;
  atrium_allowed_cpus(&mask);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < atrium_most_cpus; ++cpu)
    if (atrium_has_cpu(&mask, cpu)) cpus.push_back(cpu);
  return cpus;
}

std::vector<int> online_cpus() {
  return parse_number_list(read_small_file("/sys/devices/system/cpu/online")).value_or(allowed_cpus());
}

int limit_to_quota(int cpus, double quota) { return atrium_limit_to_quota(cpus, quota); }

int usable_cpus() { return atrium_usable_cpus(); }

}  // namespace atrium
