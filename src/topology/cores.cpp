// Takes each CPU as a core where all are alike, and asks hwloc otherwise.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/cores.hpp"

#include <algorithm>
#include <cstdlib>

#include "atrium_system.hpp"
#include "core/number_list.hpp"

namespace atrium {
namespace {

std::vector<int> read_list(const std::string& path) {
  return parse_number_list(read_small_file(path)).value_or(std::vector<int>{});
}

// The third level, where there is one. Both lists are ascending.
bool share_last_cache(const std::vector<int>& cpus, const std::string& system) {
  const std::string caches = system + "/cpu/cpu" + std::to_string(cpus.front()) + "/cache/index";
  std::vector<int> sharers = read_list(caches + "3/shared_cpu_list");
  if (sharers.empty()) sharers = read_list(caches + "2/shared_cpu_list");
  return sharers.empty() || std::includes(sharers.begin(), sharers.end(), cpus.begin(), cpus.end());
}

std::vector<Core> core_per_cpu(const std::vector<int>& cpus) {
  std::vector<Core> cores;
  for (int cpu : cpus) cores.push_back({0, 0, cpus.front(), {cpu}});
  return cores;
}

bool hwloc_is_redirected() { return std::getenv("HWLOC_XMLFILE") || std::getenv("HWLOC_SYNTHETIC"); }

}  // namespace

bool is_uniform(const std::vector<int>& cpus, const std::string& system) {
  return share_last_cache(cpus, system) && read_list(system + "/node/online").size() <= 1 &&
         !read_small_file(system + "/cpu/smt/active").starts_with('1');
}

Result<std::vector<Core>> cores_of(const std::vector<int>& cpus) {
  const bool uniform = !hwloc_is_redirected() && is_uniform(cpus, "/sys/devices/system");
  return uniform ? core_per_cpu(cpus) : ask_hwloc(cpus);
}

}  // namespace atrium
