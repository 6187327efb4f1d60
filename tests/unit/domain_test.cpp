// Which PEs are close to each other, on recorded machines larger than this one.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/domain.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/number_list.hpp"
#include "folder.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

// As the vendors publish them and Linux lists them: `threads` per core, the second ones after all first ones.
struct Machine {
  const char* name;
  int cores;
  int cores_per_cache;
  int cores_per_node;
  int threads;
  int cache_index;  // in /sys: 3 for a third-level cache, 2 where the second level is the last
};

constexpr Machine machines[] = {
    {"two EPYC 9654, NPS4", 192, 8, 24, 1, 3}, {"Frontier node, EPYC 7A53, NPS4", 64, 8, 16, 2, 3},
    {"two Xeon 8480+", 112, 56, 56, 2, 3},     {"A64FX", 48, 12, 12, 1, 2},
    {"Grace superchip", 144, 72, 72, 1, 3},
};

int cpus_of(const Machine& machine) { return machine.cores * machine.threads; }

// The hardware threads of the cores [first, first + count).
std::vector<int> threads_of(const Machine& machine, int first, int count) {
  std::vector<int> cpus;
  for (int thread = 0; thread < machine.threads; ++thread)
    for (int core = first; core < first + count; ++core) cpus.push_back(thread * machine.cores + core);
  return cpus;
}

void record(const Machine& machine, const Folder& system) {
  for (int cpu = 0; cpu < cpus_of(machine); ++cpu) {
    const int core = cpu % machine.cores, first = core - core % machine.cores_per_cache;
    const std::string caches = "cpu/cpu" + std::to_string(cpu) + "/cache/index";
    system.write(caches + "0/shared_cpu_list", format_number_list(threads_of(machine, core, 1)));
    system.write(caches + std::to_string(machine.cache_index) + "/shared_cpu_list",
                 format_number_list(threads_of(machine, first, machine.cores_per_cache)));
  }
  for (int node = 0; node < machine.cores / machine.cores_per_node; ++node)
    system.write(
        "node/node" + std::to_string(node) + "/cpulist",
        format_number_list(threads_of(machine, node * machine.cores_per_node, machine.cores_per_node)));
}

class OnMachine : public testing::TestWithParam<Machine> {
 protected:
  void SetUp() override { record(GetParam(), system_); }

  Domain domain_of_cores(int first, int count) const {
    return domain_of(threads_of(GetParam(), first, count), first / GetParam().cores_per_node, system_.path());
  }

 private:
  Folder system_;
};

TEST_P(OnMachine, a_pe_bound_to_a_core_knows_its_cache_and_node) {
  const Machine& machine = GetParam();
  std::set<int> caches, nodes;
  for (int core = 0; core < machine.cores; ++core) {
    const Domain domain = domain_of_cores(core, 1);
    EXPECT_EQ(domain.cache, core - core % machine.cores_per_cache);
    EXPECT_EQ(domain.node, core / machine.cores_per_node);
    caches.insert(domain.cache);
    nodes.insert(domain.node);
  }
  EXPECT_EQ(static_cast<int>(caches.size()), machine.cores / machine.cores_per_cache);
  EXPECT_EQ(static_cast<int>(nodes.size()), machine.cores / machine.cores_per_node);
}

TEST_P(OnMachine, a_pe_that_may_use_a_whole_node_has_a_cache_only_where_the_node_has_one) {
  const Machine& machine = GetParam();
  const Domain domain = domain_of_cores(machine.cores_per_node, machine.cores_per_node);
  EXPECT_EQ(domain.node, 1);
  EXPECT_EQ(domain.cache == no_domain, machine.cores_per_cache < machine.cores_per_node);
}

TEST_P(OnMachine, a_pe_that_may_run_everywhere_has_no_domain) {
  const Domain domain = domain_of_cores(0, GetParam().cores);
  EXPECT_EQ(domain.cache, no_domain);
  EXPECT_EQ(domain.node, no_domain);
}

INSTANTIATE_TEST_SUITE_P(Recorded, OnMachine, testing::ValuesIn(machines));

TEST(Domains, are_unknown_where_the_machine_does_not_say) {
  const Domain domain = domain_of({0}, 0, "/no/such/folder");
  EXPECT_EQ(domain.cache, no_domain);
  EXPECT_EQ(domain.node, no_domain);
}

TEST(Domains, of_this_process_contain_its_cpus) {
  const std::vector<int> cpus = allowed_cpus();
  const Domain domain = domain_of_this_process(cpus);
  EXPECT_LE(domain.cache, cpus.front());
}

TEST(Domains, can_be_pretended_in_any_number) {
  const auto domains = pretend_domains(7, 3);
  std::vector<int> caches;
  for (const Domain& domain : domains) caches.push_back(domain.cache);
  EXPECT_EQ(caches, (std::vector<int>{0, 0, 0, 1, 1, 2, 2}));
}

}  // namespace
}  // namespace atrium
