// Where PEs are put on machines that are not here.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/place.hpp"

#include <gtest/gtest.h>

#include <set>

namespace atrium {
namespace {

// Two packages of two NUMA nodes of two cores of two threads; CPU 8+k is the second thread of core k.
std::vector<Core> big_machine() {
  std::vector<Core> cores;
  for (int k = 0; k < 8; ++k) cores.push_back({k / 4, k / 2, k / 4 * 4, {k, k + 8}});
  return cores;
}

std::vector<Cpus> place(int pes, Binding binding = Binding::automatic, Mapping mapping = Mapping::block,
                        int usable = 16) {
  Options options;
  options.pes = pes;
  options.binding = binding;
  options.mapping = mapping;
  return place_pes(options, big_machine(), usable);
}

TEST(Place, gives_each_pe_an_equal_share_of_whole_cores) {
  EXPECT_EQ(place(2), (std::vector<Cpus>{{0, 8, 1, 9, 2, 10, 3, 11}, {4, 12, 5, 13, 6, 14, 7, 15}}));
  EXPECT_EQ(place(8)[3], (Cpus{3, 11}));
}

TEST(Place, gives_each_pe_a_thread_when_there_are_too_few_cores) {
  std::set<Cpus> different;
  for (const Cpus& cpus : place(16)) different.insert(cpus);
  EXPECT_EQ(different.size(), 16u);
}

TEST(Place, only_cpus_that_are_unevenly_busy_leave_pes_unbound) {
  EXPECT_FALSE(are_unevenly_busy(0, 16, 16));
  EXPECT_FALSE(are_unevenly_busy(8, 8, 16));  // they fit beside each other
  EXPECT_TRUE(are_unevenly_busy(1, 16, 16));
  EXPECT_TRUE(are_unevenly_busy(11, 6, 16));
  EXPECT_FALSE(are_unevenly_busy(12, 6, 16));
  EXPECT_TRUE(are_unevenly_busy(1, 2, 2));
  EXPECT_FALSE(are_unevenly_busy(16, 16, 16));
  EXPECT_FALSE(are_unevenly_busy(64, 2, 16));
}

TEST(Place, never_gives_one_cpu_to_two_pes_by_default) {
  for (int pes = 2; pes <= 16; ++pes) {
    std::set<int> taken;
    size_t given = 0;
    for (const Cpus& cpus : place(pes)) {
      EXPECT_FALSE(cpus.empty());
      taken.insert(cpus.begin(), cpus.end());
      given += cpus.size();
    }
    EXPECT_EQ(taken.size(), given);
  }
}

TEST(Place, leaves_pes_free_that_do_not_fit) {
  EXPECT_EQ(place(17), std::vector<Cpus>(17));
  EXPECT_EQ(place(9, Binding::core), std::vector<Cpus>(9));
}

TEST(Place, leaves_pes_free_under_a_quota) {
  EXPECT_EQ(place(2, Binding::automatic, Mapping::block, 4), std::vector<Cpus>(2));
}

TEST(Place, leaves_a_single_pe_free) { EXPECT_EQ(place(1), std::vector<Cpus>(1)); }

TEST(Place, binds_to_what_was_asked_for) {
  EXPECT_EQ(place(2, Binding::none), std::vector<Cpus>(2));
  EXPECT_EQ(place(2, Binding::core), (std::vector<Cpus>{{0, 8}, {1, 9}}));
  EXPECT_EQ(place(2, Binding::hwthread), (std::vector<Cpus>{{0}, {8}}));
  EXPECT_EQ(place(8, Binding::node)[7], (Cpus{6, 14, 7, 15}));
  EXPECT_EQ(place(2, Binding::package)[1], (Cpus{4, 12, 5, 13, 6, 14, 7, 15}));
}

TEST(Place, says_why_pes_stay_unbound) {
  const std::vector<Core> machine = big_machine();
  EXPECT_EQ(why_unbound(Binding::core, machine, machine.size()), "");
  EXPECT_EQ(why_unbound(Binding::core, machine, 9),
            "--bind-to core: no PE is bound, since 9 PEs are more than the 8 cores");
  EXPECT_EQ(why_unbound(Binding::hwthread, machine, 16), "");
  EXPECT_EQ(why_unbound(Binding::hwthread, machine, 17),
            "--bind-to hwthread: no PE is bound, since 17 PEs are more than the 16 hwthreads");
  EXPECT_EQ(why_unbound(Binding::automatic, machine, 17), "");
  EXPECT_EQ(why_unbound(Binding::package, machine, 17), "");
}

TEST(Place, deals_pes_out_over_packages) {
  EXPECT_EQ(place(3, Binding::core, Mapping::by_package), (std::vector<Cpus>{{0, 8}, {4, 12}, {1, 9}}));
  EXPECT_EQ(place(3, Binding::core, Mapping::by_node), (std::vector<Cpus>{{0, 8}, {2, 10}, {4, 12}}));
}

TEST(Place, puts_more_pes_than_packages_on_each_in_turn) {
  EXPECT_EQ(place(40, Binding::package).size(), 40u);
}

}  // namespace
}  // namespace atrium
