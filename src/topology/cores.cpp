// Cores from /sys/devices/system/cpu, NUMA nodes from /sys/devices/system/node.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/cores.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

#include "core/number_list.hpp"
#include "os/small_file.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

std::vector<int> read_list(const std::string& path) {
  return parse_number_list(read_small_file(path)).value_or(std::vector<int>{});
}

std::vector<int> threads_beside(int cpu, const std::string& system) {
  std::vector<int> threads =
      read_list(system + "/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
  if (threads.empty()) threads = {cpu};
  return threads;
}

int package_of(int cpu, const std::string& system) {
  return std::atoi(
      read_small_file(system + "/cpu/cpu" + std::to_string(cpu) + "/topology/physical_package_id").c_str());
}

Core read_core(int cpu, const std::set<int>& allowed, const std::string& system) {
  Core core;
  core.package = package_of(cpu, system);
  for (int thread : threads_beside(cpu, system))
    if (allowed.count(thread)) core.cpus.push_back(thread);
  return core;
}

void add_nodes(std::vector<Core>& cores, const std::string& system) {
  for (int node : read_list(system + "/node/online")) {
    const std::vector<int> cpus = read_list(system + "/node/node" + std::to_string(node) + "/cpulist");
    const std::set<int> members(cpus.begin(), cpus.end());
    for (Core& core : cores)
      if (members.count(core.cpus.front())) core.node = node;
  }
}

bool comes_before(const Core& a, const Core& b) {
  return std::tie(a.package, a.node, a.cpus) < std::tie(b.package, b.node, b.cpus);
}

}  // namespace

std::vector<Core> read_cores(const std::vector<int>& cpus, const std::string& system) {
  const std::set<int> allowed(cpus.begin(), cpus.end());
  std::set<int> seen;
  std::vector<Core> cores;
  for (int cpu : cpus) {
    if (seen.count(cpu)) continue;
    cores.push_back(read_core(cpu, allowed, system));
    seen.insert(cores.back().cpus.begin(), cores.back().cpus.end());
  }
  add_nodes(cores, system);
  std::sort(cores.begin(), cores.end(), comes_before);
  return cores;
}

std::vector<Core> allowed_cores() { return read_cores(allowed_cpus(), "/sys/devices/system"); }

}  // namespace atrium
