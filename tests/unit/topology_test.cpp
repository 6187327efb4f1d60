// CPUs, quotas and cores: of this machine, and of recorded ones.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "atrium_machine.h"
#include "folder.hpp"
#include "os/memory_limits.hpp"
#include "topology/cores.hpp"
#include "topology/cpus.hpp"
#include "topology/quota.hpp"

namespace atrium {
namespace {

TEST(Quota, is_none_where_nothing_limits) {
  const Folder mount;
  mount.write("cpu.max", "max 100000");
  EXPECT_EQ(cgroup_quota("0::/\n", mount.path()), no_quota);
  EXPECT_EQ(cgroup_quota("", mount.path()), no_quota);
}

TEST(Quota, of_version_2_is_the_tightest_on_the_way_up) {
  const Folder mount;
  mount.write("a/cpu.max", "150000 100000");
  mount.write("a/b/cpu.max", "400000 100000");
  EXPECT_DOUBLE_EQ(cgroup_quota("0::/a/b\n", mount.path()), 1.5);
  EXPECT_DOUBLE_EQ(cgroup_quota("0::/a\n", mount.path()), 1.5);
}

TEST(Quota, in_a_container_is_that_of_the_mount_itself) {
  const Folder mount;
  mount.write("cpu.max", "200000 100000");
  EXPECT_DOUBLE_EQ(cgroup_quota("0::/docker/0123abc\n", mount.path()), 2);
}

TEST(Quota, of_version_1_is_found_among_other_controllers) {
  const Folder mount;
  mount.write("cpu,cpuacct/job/cpu.cfs_quota_us", "300000");
  mount.write("cpu,cpuacct/job/cpu.cfs_period_us", "100000");
  EXPECT_DOUBLE_EQ(cgroup_quota("5:memory:/x\n4:cpu,cpuacct:/job\n", mount.path()), 3);
  EXPECT_EQ(cgroup_quota("4:cpuset:/job\n", mount.path()), no_quota);
}

TEST(Quota, of_version_1_can_be_unlimited) {
  const Folder mount;
  mount.write("cpu/cpu.cfs_quota_us", "-1");
  mount.write("cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cgroup_quota("1:cpu:/\n", mount.path()), no_quota);
}

TEST(Quota, what_it_has_cost_is_told_in_nanoseconds) {
  const Folder mount;
  EXPECT_EQ(cgroup_throttled_ns("0::/a/b\n", mount.path()), 0u);
  mount.write("a/cpu.stat", "usage_usec 77\nnr_periods 3\nnr_throttled 2\nthrottled_usec 1500\n");
  mount.write("a/b/cpu.stat", "usage_usec 77\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0\n");
  EXPECT_EQ(cgroup_throttled_ns("0::/a/b\n", mount.path()), 1'500'000u);
  mount.write("cpu,cpuacct/job/cpu.stat", "nr_periods 3\nnr_throttled 2\nthrottled_time 1234\n");
  EXPECT_EQ(cgroup_throttled_ns("4:cpu,cpuacct:/job\n", mount.path()), 1234u);
}

// A group of version 2 in `mount`, with a limit, what is used of it, and how much of that is idle cache.
void write_group(const Folder& mount, const std::string& name, const std::string& limit,
                 const std::string& used, const std::string& idle) {
  mount.write(name + "memory.max", limit);
  mount.write(name + "memory.current", used);
  mount.write(name + "memory.stat", "anon 1\nactive_file 7\ninactive_file " + idle + "\nunevictable 0");
}

uint64_t left_of(const std::string& membership, const Folder& mount) {
  uint64_t least = ATRIUM_NO_MEMORY_LIMIT;
  atrium_visit_cgroups("memory", membership.c_str(), mount.path().c_str(), atrium_keep_least_memory, &least);
  return least;
}

TEST(MemoryLeft, is_the_least_that_a_group_on_the_way_up_leaves) {
  const Folder mount;
  write_group(mount, "a/", "1000", "900", "0");
  write_group(mount, "a/b/", "500", "100", "0");
  EXPECT_EQ(left_of("0::/a/b\n", mount), 100u);
}

TEST(MemoryLeft, counts_idle_caches_as_left_and_nothing_twice) {
  const Folder mount;
  write_group(mount, "a/", "1000", "900", "300");
  EXPECT_EQ(left_of("0::/a\n", mount), 400u);
  write_group(mount, "a/", "1000", "200", "300");
  EXPECT_EQ(left_of("0::/a\n", mount), 1000u);
  write_group(mount, "a/", "1000", "1100", "0");
  EXPECT_EQ(left_of("0::/a\n", mount), 0u);
}

TEST(MemoryLeft, without_a_limit_is_not_bounded_by_groups) {
  const Folder mount;
  write_group(mount, "a/", "max", "900", "0");
  EXPECT_EQ(left_of("0::/a\n", mount), ATRIUM_NO_MEMORY_LIMIT);
  EXPECT_EQ(left_of("", mount), ATRIUM_NO_MEMORY_LIMIT);
  EXPECT_GT(memory_left(), 0u);
}

TEST(MemoryLeft, of_version_1_counts_usage) {
  const Folder mount;
  mount.write("memory/job/memory.limit_in_bytes", "1000");
  mount.write("memory/job/memory.usage_in_bytes", "700");
  mount.write("memory/job/memory.stat", "inactive_file 5\ntotal_inactive_file 100");
  EXPECT_EQ(left_of("4:memory:/job\n", mount), 400u);
}

TEST(Cpus, of_this_machine_are_at_least_one) {
  EXPECT_FALSE(allowed_cpus().empty());
  EXPECT_GE(usable_cpus(), 1);
  EXPECT_LE(static_cast<size_t>(usable_cpus()), allowed_cpus().size());
}

TEST(Cpus, that_run_contain_those_of_this_process) {
  const auto online = online_cpus(), allowed = allowed_cpus();
  EXPECT_TRUE(std::includes(online.begin(), online.end(), allowed.begin(), allowed.end()));
}

// Four CPUs with one third-level cache, in one NUMA node.
void write_machine(const Folder& system) {
  system.write("cpu/cpu0/cache/index3/shared_cpu_list", "0-3");
  system.write("node/online", "0");
  system.write("cpu/smt/active", "0");
}

TEST(Cores, need_no_hwloc_where_all_are_alike) {
  const Folder system;
  write_machine(system);
  EXPECT_TRUE(is_uniform({0, 1, 2, 3}, system.path()));
  EXPECT_TRUE(is_uniform({0, 3}, "/no/such/folder"));
}

TEST(Cores, need_hwloc_where_caches_nodes_or_threads_tell_them_apart) {
  const Folder system;
  write_machine(system);
  EXPECT_FALSE(is_uniform({0, 4}, system.path()));
  system.write("node/online", "0-1");
  EXPECT_FALSE(is_uniform({0, 1}, system.path()));
  system.write("node/online", "0");
  system.write("cpu/smt/active", "1");
  EXPECT_FALSE(is_uniform({0, 1}, system.path()));
}

TEST(Cores, of_this_machine_hold_exactly_the_cpus_asked_for) {
  auto cores = cores_of(allowed_cpus());
  if (!cores) GTEST_SKIP() << cores.error().because;
  std::vector<int> cpus;
  for (const Core& core : *cores) cpus.insert(cpus.end(), core.cpus.begin(), core.cpus.end());
  std::sort(cpus.begin(), cpus.end());
  EXPECT_EQ(cpus, allowed_cpus());
}

TEST(Cores, leave_out_what_was_not_asked_for) {
  setenv("HWLOC_SYNTHETIC", "pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)", 1);
  auto cores = cores_of({1, 6});
  unsetenv("HWLOC_SYNTHETIC");
  if (!cores) GTEST_SKIP() << cores.error().because;
  ASSERT_EQ(cores->size(), 2u);
  EXPECT_EQ((*cores)[0].cpus, std::vector<int>{1});
  EXPECT_EQ((*cores)[1].cpus, std::vector<int>{6});
  EXPECT_EQ((*cores)[1].package, 1);
}

}  // namespace
}  // namespace atrium
