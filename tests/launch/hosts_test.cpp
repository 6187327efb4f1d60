// How many PEs each host gets that the user has named (launch/cli/hosts).
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/cli/hosts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "launch/cli/options.hpp"

namespace atrium {
namespace {

// "a:2 b:1": the hosts of a list, and their slots.
std::string slots_of(const std::string& list) {
  Options options;
  if (!add_hosts(options, list)) return "refused";
  std::string text;
  for (const HostSlots& host : options.hosts)
    text += (text.empty() ? "" : " ") + host.name + ":" + std::to_string(host.slots);
  return text;
}

TEST(Hosts, have_the_slots_that_are_said) { EXPECT_EQ(slots_of("a,b:4"), "a:0 b:4"); }

TEST(Hosts, that_are_named_again_have_a_slot_each_time) {
  EXPECT_EQ(slots_of("a,a"), "a:2");
  EXPECT_EQ(slots_of("a,b,a,b,a"), "a:3 b:2");
  EXPECT_EQ(slots_of("a,a:4"), slots_of("a:4,a"));
}

TEST(Hosts, have_no_more_slots_than_there_can_be_processes) {
  std::string list = "a:4194304";
  for (int i = 0; i < 600; ++i) list += ",a:4194304";
  EXPECT_EQ(slots_of(list), "a:4194304");
}

TEST(Hosts, of_one_line_per_slot_get_as_many_pes) {
  Options options;
  ASSERT_TRUE(add_hosts(options, "a,a,b,b"));
  auto host_of = deal_to_hosts(options, {8, 8});
  ASSERT_TRUE(host_of);
  EXPECT_EQ(*host_of, (std::vector<int>{0, 0, 1, 1}));
}

}  // namespace
}  // namespace atrium
