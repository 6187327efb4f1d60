// On which memory nodes pages shall lie: choice, given policy, cpuset and the firmware's tables of recorded machines.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "atrium_memory_policy.h"
#include "folder.hpp"

namespace atrium {
namespace {

constexpr int bind = 2, local = 4, static_nodes = 1 << 15;

atrium_node_set nodes_of(std::initializer_list<int> nodes) {
  atrium_node_set set{};
  for (int node : nodes) atrium_add_node(&set, node);
  return set;
}

std::vector<int> list(const atrium_node_set& set) {
  std::vector<int> nodes;
  for (int node = 0; node < atrium_most_nodes; ++node)
    if (atrium_has_node(&set, node)) nodes.push_back(node);
  return nodes;
}

// A machine with the memory nodes 0 and 1, whose CPUs are on node 0 unless `near` says otherwise.
struct Machine {
  Folder system;
  atrium_node_set allowed = nodes_of({0, 1});
  atrium_memory_policy given{};
  int near = 0;

  atrium_memory_policy decide(int choice) const {
    return atrium_decide_policy(choice, &given, near, &allowed, system.path().c_str());
  }
  void tell_bandwidth(int to, int from, const char* megabytes, int kind = 0) const {
    const std::string folder =
        "node/node" + std::to_string(to) + "/access" + std::to_string(kind) + "/initiators/";
    system.write(folder + "read_bandwidth", megabytes);
    system.write(folder + "node" + std::to_string(from) + "/x", "");
  }
};

#define EXPECT_POLICY(policy, wanted_mode, ...)                     \
  do {                                                              \
    const atrium_memory_policy decided = policy;                    \
    EXPECT_EQ(decided.mode, wanted_mode);                           \
    EXPECT_EQ(list(decided.nodes), (std::vector<int> __VA_ARGS__)); \
  } while (0)

TEST(MemoryPolicy, without_a_choice_or_a_given_policy_is_the_owners_node) {
  Machine machine;
  machine.near = 1;
  EXPECT_POLICY(machine.decide(atrium_memory_near), atrium_policy_preferred, {1});
}

TEST(MemoryPolicy, is_none_where_the_owners_node_is_not_known) {
  Machine machine;
  machine.near = -1;
  EXPECT_POLICY(machine.decide(atrium_memory_near), atrium_policy_none, {});
  EXPECT_POLICY(machine.decide(atrium_memory_high_bandwidth), atrium_policy_none, {});
}

TEST(MemoryPolicy, that_was_given_is_respected_with_its_flags) {
  Machine machine;
  for (int mode : {bind, int{atrium_policy_interleave}, int{atrium_policy_preferred}, bind | static_nodes}) {
    machine.given = {mode, nodes_of({1})};
    EXPECT_POLICY(machine.decide(atrium_memory_near), mode, {1});
  }
  machine.given = {local, {}};
  EXPECT_POLICY(machine.decide(atrium_memory_near), local, {});
}

TEST(MemoryPolicy, that_the_program_chooses_counts_more_than_the_given_one) {
  Machine machine;
  machine.given = {bind, nodes_of({1})};
  EXPECT_POLICY(machine.decide(atrium_memory_node_0), atrium_policy_preferred, {0});
  EXPECT_POLICY(machine.decide(atrium_memory_interleaved), atrium_policy_interleave, {0, 1});
}

TEST(MemoryPolicy, interleaves_over_the_nodes_that_the_cpuset_allows) {
  Machine machine;
  machine.allowed = nodes_of({1, 700});
  EXPECT_POLICY(machine.decide(atrium_memory_interleaved), atrium_policy_interleave, {1, 700});
}

TEST(HighBandwidth, is_a_node_without_cpus_that_they_read_faster_than_their_own) {
  Machine machine;
  machine.given = {bind, nodes_of({0})};
  machine.tell_bandwidth(0, 0, "90000");
  machine.tell_bandwidth(1, 0, "400000");
  EXPECT_POLICY(machine.decide(atrium_memory_high_bandwidth), atrium_policy_preferred, {1});
}

TEST(HighBandwidth, is_not_taken_from_a_node_that_the_cpuset_forbids) {
  Machine machine;
  machine.allowed = nodes_of({0});
  machine.tell_bandwidth(0, 0, "90000");
  machine.tell_bandwidth(1, 0, "400000");
  EXPECT_POLICY(machine.decide(atrium_memory_high_bandwidth), atrium_policy_preferred, {0});
}

TEST(HighBandwidth, of_another_socket_is_not_ours) {
  Machine machine;
  machine.tell_bandwidth(0, 0, "90000");
  machine.tell_bandwidth(1, 5, "400000");
  EXPECT_POLICY(machine.decide(atrium_memory_high_bandwidth), atrium_policy_preferred, {0});
}

TEST(HighBandwidth, is_what_cpus_read_and_not_what_an_accelerator_does) {
  Machine machine;
  machine.tell_bandwidth(0, 0, "90000", 1);
  machine.tell_bandwidth(1, 0, "50000", 1);
  machine.tell_bandwidth(1, 0, "900000", 0);
  EXPECT_POLICY(machine.decide(atrium_memory_high_bandwidth), atrium_policy_preferred, {0});
}

TEST(HighBandwidth, that_nobody_tells_of_leaves_the_given_policy) {
  Machine machine;
  machine.given = {bind, nodes_of({1})};
  EXPECT_POLICY(machine.decide(atrium_memory_high_bandwidth), bind, {1});
}

// As the symmetric heap has it, which does not place what nobody asks for.
TEST(ChosenPolicy, is_none_unless_something_is_chosen_that_is_there) {
  Machine machine;
  const auto chosen = [&](int choice) {
    return atrium_chosen_policy(choice, machine.near, &machine.allowed, machine.system.path().c_str());
  };
  EXPECT_POLICY(chosen(atrium_memory_near), atrium_policy_none, {});
  EXPECT_POLICY(chosen(atrium_memory_high_bandwidth), atrium_policy_none, {});
  EXPECT_POLICY(chosen(atrium_memory_interleaved), atrium_policy_interleave, {0, 1});
  EXPECT_POLICY(chosen(atrium_memory_node_0 + 1), atrium_policy_preferred, {1});
  machine.tell_bandwidth(0, 0, "90000");
  machine.tell_bandwidth(1, 0, "400000");
  EXPECT_POLICY(chosen(atrium_memory_high_bandwidth), atrium_policy_preferred, {1});
  machine.near = -1;
  EXPECT_POLICY(chosen(atrium_memory_high_bandwidth), atrium_policy_none, {});
}

TEST(MemoryWish, is_one_of_the_words_or_a_node_that_may_be_used) {
  const atrium_node_set allowed = nodes_of({1, 1023});
  for (int choice : {0, 1, 2, atrium_memory_node_0 + 1, atrium_memory_node_0 + 1023})
    EXPECT_TRUE(atrium_is_memory_choice(choice, &allowed)) << choice;
  for (int choice : {-1, 3, 15, int{atrium_memory_node_0}, atrium_memory_node_0 + 1024, 1 << 30})
    EXPECT_FALSE(atrium_is_memory_choice(choice, &allowed)) << choice;
}

}  // namespace
}  // namespace atrium
