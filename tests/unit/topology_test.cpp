// CPUs, quotas and cores: of this machine, and of recorded ones.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "folder.hpp"
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

TEST(Cpus, of_this_machine_are_at_least_one) {
  EXPECT_FALSE(allowed_cpus().empty());
  EXPECT_GE(usable_cpus(), 1);
  EXPECT_LE(static_cast<size_t>(usable_cpus()), allowed_cpus().size());
}

// Two packages of two cores of two threads: CPUs k and k+4 are one core.
void write_machine(const Folder& system) {
  for (int cpu = 0; cpu < 8; ++cpu) {
    const int core = cpu % 4;
    const std::string topology = "cpu/cpu" + std::to_string(cpu) + "/topology/";
    system.write(topology + "thread_siblings_list", std::to_string(core) + "," + std::to_string(core + 4));
    system.write(topology + "physical_package_id", std::to_string(core / 2));
  }
  system.write("node/online", "0-1");
  system.write("node/node0/cpulist", "0-1,4-5");
  system.write("node/node1/cpulist", "2-3,6-7");
}

TEST(Cores, are_read_with_their_threads_packages_and_nodes) {
  const Folder system;
  write_machine(system);
  const auto cores = read_cores({0, 1, 2, 3, 4, 5, 6, 7}, system.path());
  ASSERT_EQ(cores.size(), 4u);
  EXPECT_EQ(cores[1].cpus, (std::vector<int>{1, 5}));
  EXPECT_EQ(cores[1].package, 0);
  EXPECT_EQ(cores[2].package, 1);
  EXPECT_EQ(cores[3].node, 1);
}

TEST(Cores, contain_only_what_is_allowed) {
  const Folder system;
  write_machine(system);
  const auto cores = read_cores({1, 6}, system.path());
  ASSERT_EQ(cores.size(), 2u);
  EXPECT_EQ(cores[0].cpus, std::vector<int>{1});
  EXPECT_EQ(cores[1].cpus, std::vector<int>{6});
}

TEST(Cores, are_single_cpus_where_nothing_is_told) {
  const auto cores = read_cores({0, 3}, "/no/such/folder");
  ASSERT_EQ(cores.size(), 2u);
  EXPECT_EQ(cores[1].cpus, std::vector<int>{3});
}

}  // namespace
}  // namespace atrium
