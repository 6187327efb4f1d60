// The last cache in cpuN/cache/ that says who shares it, and the CPUs of one NUMA node.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/domain.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "core/everlasting.hpp"
#include "core/number_list.hpp"
#include "os/small_file.hpp"

namespace atrium {
namespace {

constexpr int last_cache_index =
    3;  // 0 and 1 are the first level's, 2 the second's, 3 the third's where there is one

std::vector<int> sharers_of_last_cache(int cpu, const std::string& system) {
  const std::string caches = system + "/cpu/cpu" + std::to_string(cpu) + "/cache/index";
  for (int index = last_cache_index; index >= 2; --index)
    if (auto sharers =
            parse_number_list(read_small_file(caches + std::to_string(index) + "/shared_cpu_list")))
      return *sharers;
  return {};
}

std::vector<int> cpus_of_node(int node, const std::string& system) {
  return parse_number_list(read_small_file(system + "/node/node" + std::to_string(node) + "/cpulist"))
      .value_or(std::vector<int>{});
}

// Both ascending.
bool contains(const std::vector<int>& whole, const std::vector<int>& part) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

constinit Everlasting<std::vector<Domain>> domains_of_pes;

}  // namespace

Domain domain_of(const std::vector<int>& cpus, int near_node, const std::string& system) {
  Domain domain;
  if (const auto sharers = sharers_of_last_cache(cpus.front(), system); contains(sharers, cpus))
    domain.cache = sharers.front();
  if (contains(cpus_of_node(near_node, system), cpus)) domain.node = near_node;
  return domain;
}

Domain domain_of_this_process(const std::vector<int>& cpus) {
  unsigned cpu = 0, node = 0;
  getcpu(&cpu, &node);
  return domain_of(cpus, static_cast<int>(node), "/sys/devices/system");
}

void set_domains_of_pes(std::vector<Domain> domains) { domains_of_pes.object = std::move(domains); }

const Domain& domain_of_pe(int pe) { return domains_of_pes.object[static_cast<size_t>(pe)]; }

std::vector<Domain> pretend_domains(int pes, int count) {
  std::vector<Domain> domains;
  for (int pe = 0; pe < pes; ++pe) {
    const int domain = static_cast<int>(static_cast<long>(pe) * count / pes);
    domains.push_back({domain, domain});
  }
  return domains;
}

}  // namespace atrium
