// How many PEs each host gets that the user has named (launch/cli/hosts).
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/cli/hosts.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "launch/cli/options.hpp"
#include "os/network_interface.hpp"

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

TEST(Hosts, of_a_file_have_the_slots_of_their_lines) {
  const std::string path = testing::TempDir() + "hosts_of_a_file";
  std::ofstream(path) << "\xEF\xBB\xBF"
                         "a slots=2\r\n[::1] slots=3\n[::2]:4\n::3 5\n";
  Options options;
  ASSERT_TRUE(add_host_file(options, path));
  std::filesystem::remove(path);
  ASSERT_EQ(options.hosts.size(), 4u);
  const char* const names[] = {"a", "::1", "::2", "::3"};
  for (int i = 0; i < 4; ++i) {
    const HostSlots& host = options.hosts[static_cast<size_t>(i)];
    EXPECT_EQ(host.name, names[i]);
    EXPECT_EQ(host.slots, i + 2);
  }
}

TEST(Hosts, that_are_this_one_have_any_of_its_addresses) {
  for (const char* name : {"localhost", "127.0.0.1", "127.0.1.1", "::1"})
    EXPECT_TRUE(is_this_host(name)) << name;
  for (const char* name : {"192.0.2.77", "2001:db8::77", "127.example"})
    EXPECT_FALSE(is_this_host(name)) << name;
  for (const std::string& network : addresses_of_networks()) EXPECT_TRUE(is_this_host(address_of(network)));
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
