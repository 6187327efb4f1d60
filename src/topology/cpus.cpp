// Reads the affinity mask, which may be larger than cpu_set_t, and the CPU quota of the cgroup.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/cpus.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>

#include "atrium_machine.h"
#include "atrium_system.hpp"
#include "core/number_list.hpp"

namespace atrium {

std::vector<int> allowed_cpus() {
  atrium_cpu_mask mask;
  atrium_allowed_cpus(&mask);
  std::vector<int> cpus;
  for (int word = 0; word < atrium_most_cpus / atrium_cpus_per_word; ++word)
    for (unsigned long rest = mask.words[word]; rest != 0; rest &= rest - 1)
      cpus.push_back(word * atrium_cpus_per_word + std::countr_zero(rest));
  return cpus;
}

std::vector<int> online_cpus() {
  return parse_number_list(read_small_file("/sys/devices/system/cpu/online")).value_or(allowed_cpus());
}

int busy_cpus() {
  int running = 0;
  const std::string load = read_small_file("/proc/loadavg");  // "0.20 0.18 0.12 1/80 11206"
  if (std::sscanf(load.c_str(), "%*s %*s %*s %d", &running) != 1) return 0;
  return std::max(running - 1, 0);
}

int limit_to_quota(int cpus, double quota) { return atrium_limit_to_quota(cpus, quota); }

int usable_cpus() { return atrium_usable_cpus(); }

}  // namespace atrium
