// The header that all parts share: control groups, NUMA nodes and CPUs of recorded machines.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "atrium_machine.h"
#include "folder.hpp"

namespace atrium {
namespace {

using Visits = std::vector<std::pair<int, std::string>>;

Visits visits(const char* controller, const std::string& membership) {
  Visits found;
  const auto note = [](void* visits, const char* folder, int version) {
    static_cast<Visits*>(visits)->emplace_back(version, folder);
  };
  atrium_visit_cgroups(controller, membership.c_str(), "/m", note, &found);
  return found;
}

TEST(Cgroups, are_those_of_the_process_and_all_above) {
  EXPECT_EQ(visits("cpu", "0::/a/b\n"), (Visits{{2, "/m/a/b"},
                                                {2, "/m/a"},
                                                {2, "/m"},
                                                {2, "/m/unified/a/b"},
                                                {2, "/m/unified/a"},
                                                {2, "/m/unified"}}));
  EXPECT_EQ(visits("cpu", "0::/"), (Visits{{2, "/m"}, {2, "/m/unified"}}));
  EXPECT_EQ(visits("cpu", "3:cpu:/a"), (Visits{{1, "/m/cpu/a"}, {1, "/m/cpu"}}));
  EXPECT_EQ(visits("cpu", "3:cpu,cpuacct:/"), (Visits{{1, "/m/cpu,cpuacct"}, {1, "/m/cpu"}}));
}

TEST(Cgroups, of_other_controllers_are_left_out) {
  EXPECT_EQ(visits("cpu", "2:cpuset:/a\n3:name=systemd:/b\n4:memory,cpuacct:/c\n"), Visits{});
  EXPECT_EQ(visits("memory", "4:memory:/c\n2:cpu:/a\n"), (Visits{{1, "/m/memory/c"}, {1, "/m/memory"}}));
}

TEST(Cgroups, survive_lines_that_make_no_sense) {
  EXPECT_EQ(visits("cpu", "\n\nabc\n1:cpu\n:::\n0"), (Visits{{2, "/m:"}, {2, "/m/unified:"}}));
  EXPECT_EQ(visits("cpu", "0::/" + std::string(5000, 'x') + "\n"), Visits{});
  EXPECT_EQ(visits("cpu", "0::/" + std::string(4085, 'x') + "\n3:cpu:/"),
            (Visits{{2, "/m/" + std::string(4085, 'x')}, {2, "/m"}, {1, "/m/cpu"}}));
}

TEST(Quotas, cut_the_number_of_cpus_and_leave_one) {
  EXPECT_EQ(atrium_limit_to_quota(8, ATRIUM_NO_QUOTA), 8);
  EXPECT_EQ(atrium_limit_to_quota(8, 2.9), 2);
  EXPECT_EQ(atrium_limit_to_quota(8, 0.25), 1);
  EXPECT_EQ(atrium_limit_to_quota(2, 1e12), 2);
}

atrium_cpu_mask mask_of(std::initializer_list<int> cpus) {
  atrium_cpu_mask mask{};
  for (int cpu : cpus) mask.words[cpu / atrium_cpus_per_word] |= 1UL << (cpu % atrium_cpus_per_word);
  return mask;
}

TEST(Cpus, are_counted_beyond_those_that_the_c_library_has_places_for) {
  const atrium_cpu_mask mask = mask_of({0, 63, 64, 1023, 1024, atrium_most_cpus - 1});
  EXPECT_EQ(atrium_count_cpus(&mask), 6);
  EXPECT_TRUE(atrium_has_cpu(&mask, 1024));
  EXPECT_FALSE(atrium_has_cpu(&mask, 1025));
}

TEST(Numa, is_the_node_that_all_of_the_cpus_lie_on) {
  const Folder system;
  system.write("cpu/cpu0/node3/x", "");
  system.write("cpu/cpu0/topology/x", "");
  system.write("cpu/cpu1/node3/x", "");
  system.write("cpu/cpu2/node700/x", "");
  system.write("cpu/cpu4/cache/x", "");
  const char* folder = system.path().c_str();
  EXPECT_EQ(atrium_numa_node_of_cpu(0, folder), 3);
  EXPECT_EQ(atrium_numa_node_of_cpu(2, folder), 700);
  EXPECT_EQ(atrium_numa_node_of_cpu(4, folder), -1);
  EXPECT_EQ(atrium_numa_node_of_cpu(5, folder), -1);
  const auto node_of = [&](std::initializer_list<int> cpus) {
    const atrium_cpu_mask mask = mask_of(cpus);
    return atrium_numa_node_of_cpus(&mask, folder);
  };
  EXPECT_EQ(node_of({0, 1}), 3);
  EXPECT_EQ(node_of({0, 2}), -1);
  EXPECT_EQ(node_of({0, 4}), -1);
}

}  // namespace
}  // namespace atrium
