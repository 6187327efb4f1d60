// Which PEs are close to each other, on machines larger than this one, as hwloc describes them.
// SPDX-License-Identifier: BSD-3-Clause
#include "topology/domain.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <set>

#include "topology/cores.hpp"
#include "topology/cpus.hpp"

namespace atrium {
namespace {

// As the vendors publish them: `threads` per core, which Linux numbers after all first ones.
struct Machine {
  const char* name;
  const char* description;  // for hwloc
  int packages;
  int cores;
  int cores_per_cache;  // 0: none is shared
  int cores_per_node;
  int threads;
};

constexpr Machine machines[] = {
    {"two EPYC 9654, NPS4", "pack:2 group:4 [numa] l3:3 core:8 pu:1", 2, 192, 8, 24, 1},
    {"two EPYC 9654, NPS1", "pack:2 [numa] l3:12 core:8 pu:1", 2, 192, 8, 96, 1},
    {"Frontier node, EPYC 7A53, NPS4", "pack:1 group:4 [numa] l3:2 core:8 pu:2(indexes=2*64:1*2)", 1, 64, 8,
     16, 2},
    {"four Xeon 8280", "pack:4 [numa] l3:1 core:28 pu:2(indexes=2*112:1*2)", 4, 112, 28, 28, 2},
    {"A64FX", "pack:1 group:4 [numa] l2:1 core:12 pu:1", 1, 48, 12, 12, 1},
    {"two Altra Max", "pack:2 [numa] l2:128 core:1 pu:1", 2, 256, 0, 128, 1},
    {"Grace superchip", "pack:2 [numa] l3:1 l2:72 core:1 pu:1", 2, 144, 72, 72, 1},
};

std::vector<int> numbers(int count) {
  std::vector<int> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

class OnMachine : public testing::TestWithParam<Machine> {
 protected:
  void SetUp() override {
    setenv("HWLOC_SYNTHETIC", GetParam().description, 1);
    auto cores = cores_of(numbers(GetParam().cores * GetParam().threads));
    unsetenv("HWLOC_SYNTHETIC");
    if (!cores) GTEST_SKIP() << cores.error().because;
    cores_ = *cores;
    by_cpu_ = domains_of_cpus(cores_);
  }

  // Of a PE that may use the hardware threads of the cores [first, first + count).
  Domain domain_of_cores(int first, int count) const {
    std::vector<int> cpus;
    for (int thread = 0; thread < GetParam().threads; ++thread)
      for (int core = first; core < first + count; ++core) cpus.push_back(thread * GetParam().cores + core);
    return common_domain(cpus, by_cpu_);
  }

  std::vector<Core> cores_;
  std::vector<Domain> by_cpu_;
};

TEST_P(OnMachine, cores_have_their_threads_and_packages) {
  const Machine& machine = GetParam();
  ASSERT_EQ(static_cast<int>(cores_.size()), machine.cores);
  for (int k = 0; k < machine.cores; ++k) {
    const Core& core = cores_[static_cast<size_t>(k)];
    EXPECT_EQ(static_cast<int>(core.cpus.size()), machine.threads);
    EXPECT_EQ(core.cpus.front(), k);
    EXPECT_EQ(core.package, k / (machine.cores / machine.packages));
  }
}

TEST_P(OnMachine, a_pe_bound_to_a_core_knows_its_cache_and_node) {
  const Machine& machine = GetParam();
  for (int core = 0; core < machine.cores; ++core) {
    const Domain domain = domain_of_cores(core, 1);
    const int shared = machine.cores_per_cache;
    EXPECT_EQ(domain.cache, shared ? core - core % shared : no_domain);
    EXPECT_EQ(domain.node, core / machine.cores_per_node);
  }
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

INSTANTIATE_TEST_SUITE_P(Described, OnMachine, testing::ValuesIn(machines));

TEST(Domains, are_none_where_all_cpus_are_alike) {
  const std::vector<Core> alike = {{0, 0, 0, {0}}, {0, 0, 0, {1}}};
  EXPECT_TRUE(domains_of_cpus(alike).empty());
  EXPECT_TRUE(domains_of_cpus({}).empty());
  EXPECT_EQ(common_domain({0, 1}, {}).cache, no_domain);
}

TEST(Domains, of_cpus_beyond_the_known_ones_are_unknown) {
  const std::vector<Domain> known = {{0, 0}, {1, 1}};
  EXPECT_EQ(common_domain({1}, known).node, 1);
  EXPECT_EQ(common_domain({1, 2}, known).node, no_domain);
}

TEST(Domains, can_be_pretended_in_any_number) {
  const auto domains = pretend_domains(7, 3);
  std::vector<int> caches;
  for (const Domain& domain : domains) caches.push_back(domain.cache);
  EXPECT_EQ(caches, (std::vector<int>{0, 0, 0, 1, 1, 2, 2}));
}

}  // namespace
}  // namespace atrium
