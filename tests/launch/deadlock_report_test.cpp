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

PublishedWait wait_for_lock_of(int holder) {
  PublishedWait wait;
  wait.details.kind = static_cast<uint32_t>(WaitKind::lock);
  wait.details.pe = holder;
  wait.details.team_first = -1;
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

std::string headline(const WaitsOfPes& waits, int pes) {
  const std::string text = report(waits, pes);
  return text.substr(0, text.find('\n'));
}

TEST(DeadlockReport, says_how_many_are_left) {
  const PublishedWait wait = wait_for_lock_of(0);
  EXPECT_EQ(headline({{0, wait}}, 1),
            "atrium: deadlock: the only PE there is waits, and nobody can end that");
  EXPECT_EQ(headline({{0, wait}}, 2),
            "atrium: deadlock: the only PE that has not ended waits, and nobody can end that");
  EXPECT_EQ(headline({{0, wait}, {1, wait}}, 2),
            "atrium: deadlock: all 2 PEs wait, and nobody else can end that");
  EXPECT_EQ(headline({{0, wait}, {1, wait}}, 3),
            "atrium: deadlock: all 2 PEs that have not ended wait, and nobody else can end that");
}

TEST(DeadlockReport, says_first_that_calls_differ_where_all_are_in_collectives) {
  const PublishedWait wait = collective_wait("0,1");
  EXPECT_EQ(headline({{0, wait}, {1, wait}}, 2),
            "atrium: deadlock: all 2 PEs wait, since the PEs do not make the same collective calls");
  EXPECT_EQ(headline({{1, wait}}, 2),
            "atrium: deadlock: the only PE that has not ended waits, since the PEs do not make the same "
            "collective calls");
  const std::string text = report({{0, wait}, {1, wait}}, 2);
  EXPECT_TRUE(has(text, "oshrun --check names the first that differs")) << text;
}

TEST(DeadlockReport, says_to_clear_a_lock_before_a_collective) {
  const std::string text = report({{0, collective_wait("0,1")}, {1, wait_for_lock_of(0)}}, 2);
  EXPECT_TRUE(has(text, "all 2 PEs wait, and nobody else can end that")) << text;
  EXPECT_TRUE(has(text, "shmem_clear_lock before shmem_barrier")) << text;
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
