// What people read of a deadlock: who is left, and teams that may be the same.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstring>

#include "launch/report/deadlock.hpp"

namespace atrium {
namespace {

PublishedWait collective_wait(const char* members) {
  PublishedWait wait;
  wait.details.kind = static_cast<uint32_t>(WaitKind::collective);
  wait.details.pe = -1;
  wait.details.team_first = members[0] == '\0' ? -1 : 0;
  std::strcpy(wait.details.members, members);
  return wait;
}

// The member that alone can end the wait is known, and the team is not yet.
PublishedWait active_set_in_the_making(int pe) {
  PublishedWait wait = collective_wait("");
  wait.details.pe = pe;
  return wait;
}

std::string report(const WaitsOfPes& waits, int pes) {
  std::vector<PlacedWait> placed;
  for (const auto& [pe, wait] : waits)
    placed.push_back({pe, 0, wait.details, {"shmem_barrier", "", "", ""}, ""});
  Options options;
  options.pes = pes;
  return describe_judgement({true, waits}, placed, options, false);
}

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(DeadlockReport, says_how_many_are_left) {
  const PublishedWait wait = collective_wait("0,1");
  const auto headline = [](const WaitsOfPes& waits, int pes) {
    const std::string text = report(waits, pes);
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(headline({{0, wait}}, 1),
            "atrium: deadlock: the only PE there is waits, and nobody can end that");
  EXPECT_EQ(headline({{0, wait}}, 2),
            "atrium: deadlock: the only PE that has not ended waits, and nobody can end that");
  EXPECT_EQ(headline({{0, wait}, {1, wait}}, 2),
            "atrium: deadlock: all 2 PEs wait, and nobody else can end that");
  EXPECT_EQ(headline({{0, wait}, {1, wait}}, 3),
            "atrium: deadlock: all 2 PEs that have not ended wait, and nobody else can end that");
}

// Over nodes some members meet already, while their leaders wait for the one that has not come.
TEST(DeadlockReport, members_of_an_active_set_in_the_making_wait_for_the_same_one) {
  const std::string text = report(
      {{1, active_set_in_the_making(0)}, {2, active_set_in_the_making(0)}, {3, collective_wait("0-3")}}, 4);
  EXPECT_TRUE(has(text, "PEs 1-2")) << text;
  EXPECT_TRUE(has(text, "PE 3")) << text;
  EXPECT_FALSE(has(text, "for PEs")) << text;
  EXPECT_FALSE(has(text, "different collectives")) << text;
}

}  // namespace
}  // namespace atrium
