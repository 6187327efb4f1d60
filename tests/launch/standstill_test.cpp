// When waits are called a deadlock, and who waits for whom.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/report/standstill.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "launch/report/wait_graph.hpp"

namespace atrium {
namespace {

constexpr uint64_t second = 1'000'000'000;

PublishedWait wait_since(uint64_t ago_s, uint64_t changes, uint64_t looks) {
  PublishedWait wait;
  wait.waited_ns = ago_s * second;
  wait.since_ns = 1000 * second - wait.waited_ns;
  wait.changes = changes;
  wait.looks = looks;
  wait.stands = true;
  wait.details.pe = wait.details.team_first = -1;
  return wait;
}

PublishedWait collective(int64_t team, const char* members) {
  PublishedWait wait = wait_since(10, 1, 1);
  wait.details.kind = static_cast<uint32_t>(WaitKind::barrier);
  wait.details.team_first = 0;
  wait.details.team_place = team;
  std::strcpy(wait.details.members, members);
  return wait;
}

PublishedWait lock_behind(int pe) {
  PublishedWait wait = wait_since(10, 1, 1);
  wait.details.kind = static_cast<uint32_t>(WaitKind::lock);
  wait.details.pe = pe;
  return wait;
}

class Looks {
 public:
  explicit Looks(WaitsOfPes waits) : waits(std::move(waits)) {}
  bool dead() { return judge() && judged_->is_deadlock; }
  bool hint() { return judge() && !judged_->is_deadlock; }
  void withdraw() { standstill_.withdraw(*judged_); }
  void all_look(uint64_t times) {
    for (auto& [pe, wait] : waits) wait.looks += times;
  }
  WaitsOfPes waits;
  uint64_t begun = 4, ended = 4;
  bool one_is_busy = false;

 private:
  bool judge() {
    judged_ = standstill_.judge({!one_is_busy, begun, ended, waits});
    return judged_.has_value();
  }
  StandstillJudge standstill_{5};
  std::optional<Judgement> judged_;
};

Looks two_long_waits() { return Looks({{0, wait_since(20, 7, 100)}, {1, wait_since(20, 9, 3)}}); }

TEST(StandstillJudge, is_a_deadlock_when_all_have_looked_again_and_nobody_has_moved) {
  Looks job = two_long_waits();
  EXPECT_FALSE(job.dead());
  EXPECT_FALSE(job.dead());
  job.all_look(3);
  EXPECT_TRUE(job.dead());
  job.all_look(3);
  EXPECT_FALSE(job.dead()) << "said twice";
}

// Before the second look has ended, one may have been changed by another who has come to wait since.
TEST(StandstillJudge, counts_no_looks_from_before_all_were_seen_twice) {
  Looks job = two_long_waits();
  EXPECT_FALSE(job.dead());
  job.all_look(100);
  EXPECT_FALSE(job.dead());
  EXPECT_FALSE(job.dead());
  job.all_look(3);
  EXPECT_TRUE(job.dead());
}

TEST(StandstillJudge, comes_again_when_it_was_withdrawn) {
  Looks job = two_long_waits();
  for (int time = 0; time < 2; ++time) {
    EXPECT_FALSE(job.dead());
    EXPECT_FALSE(job.dead());
    job.all_look(3);
    EXPECT_TRUE(job.dead());
    job.withdraw();
  }
}

TEST(StandstillJudge, is_none_while_one_has_not_looked_as_a_stopped_pe_never_does) {
  Looks job = two_long_waits();
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(job.dead());
    job.waits[0].looks += 1000;
    job.waits[1].looks = 5;
  }
}

TEST(StandstillJudge, begins_anew_when_a_wait_has_begun_or_ended) {
  Looks job = two_long_waits();
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(job.dead());
    job.all_look(100);
    ++job.waits[i % 2].changes;
  }
}

TEST(StandstillJudge, begins_anew_when_something_has_moved_between_nodes) {
  Looks job = two_long_waits();
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(job.dead());
    job.all_look(100);
    ++job.begun, ++job.ended;
  }
}

TEST(StandstillJudge, is_none_while_something_is_under_way_between_nodes) {
  Looks job = two_long_waits();
  ++job.begun;
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(job.dead());
    job.all_look(100);
  }
  ++job.ended;  // now nothing is: from here on it counts
  EXPECT_FALSE(job.dead());
  EXPECT_FALSE(job.dead());
  job.all_look(3);
  EXPECT_TRUE(job.dead());
}

// Who has ended is no more there at the second look: what it did before that, the others may not have seen.
TEST(StandstillJudge, begins_anew_when_a_pe_that_did_not_wait_has_ended) {
  Looks job = two_long_waits();
  job.one_is_busy = true;
  EXPECT_FALSE(job.dead());
  job.one_is_busy = false;
  EXPECT_FALSE(job.dead());
  job.all_look(100);
  EXPECT_FALSE(job.dead());
  job.all_look(3);
  EXPECT_TRUE(job.dead());
}

TEST(StandstillJudge, is_put_together_of_what_the_hosts_say) {
  WaitSample job{true, 3, 1, {{0, wait_since(20, 7, 100)}}};
  job.add({true, 1, 3, {{1, wait_since(20, 9, 3)}}});
  EXPECT_TRUE(job.all_wait);
  EXPECT_EQ(job.begun, job.ended);
  EXPECT_EQ(job.waits.size(), 2u);
  job.add({false, 0, 0, {}});
  EXPECT_FALSE(job.all_wait);
}

TEST(StandstillJudge, begins_anew_when_a_pe_does_not_wait) {
  Looks job = two_long_waits();
  EXPECT_FALSE(job.dead());
  const WaitsOfPes kept = job.waits;
  job.waits.clear();
  EXPECT_FALSE(job.dead());
  job.waits = kept;
  job.all_look(50);
  EXPECT_FALSE(job.dead());
  EXPECT_FALSE(job.dead());
  job.all_look(3);
  EXPECT_TRUE(job.dead());
}

TEST(StandstillJudge, has_patience_with_the_youngest_wait) {
  Looks job({{0, wait_since(20, 7, 100)}, {1, wait_since(1, 9, 3)}});
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(job.dead());
    job.all_look(30);
  }
}

TEST(StandstillJudge, hints_where_a_pe_only_tests_and_goes_on_testing) {
  Looks job = two_long_waits();
  job.waits[1].polls = true;
  EXPECT_FALSE(job.hint());
  job.all_look(1);
  EXPECT_FALSE(job.hint());
  job.all_look(3);
  EXPECT_TRUE(job.hint());
  job.all_look(3);
  EXPECT_FALSE(job.hint()) << "said twice";
}

TEST(StandstillJudge, gives_no_hint_of_a_pe_that_has_stopped_testing) {
  Looks job = two_long_waits();
  job.waits[1].polls = true;
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(job.hint());
    job.waits[0].looks += 10;
  }
}

TEST(WaitGraph, whom_a_collective_waits_for_are_the_members_that_are_not_in_it) {
  const WaitsOfPes waits = {
      {0, collective(8, "0-3")}, {1, collective(8, "0-3")}, {2, collective(64, "2")}, {3, lock_behind(0)}};
  EXPECT_EQ(whom_it_waits_for(waits, 0), (std::vector<int>{2, 3}));
  EXPECT_EQ(whom_it_waits_for(waits, 3), (std::vector<int>{0}));
  EXPECT_EQ(find_cycle(waits).size(), 2u);  // 0 or 1, 3
}

TEST(WaitGraph, a_lock_that_is_set_twice_is_a_cycle_of_one) {
  EXPECT_EQ(find_cycle({{0, lock_behind(1)}, {1, lock_behind(1)}}), (std::vector<int>{1}));
}

TEST(WaitGraph, locks_in_a_ring_are_a_cycle_of_all) {
  EXPECT_EQ(find_cycle({{0, lock_behind(1)}, {1, lock_behind(2)}, {2, lock_behind(0)}}),
            (std::vector<int>{0, 1, 2}));
}

TEST(WaitGraph, a_word_that_any_of_many_might_set_is_no_cycle) {
  EXPECT_TRUE(
      find_cycle({{0, wait_since(9, 1, 1)}, {1, wait_since(9, 1, 1)}, {2, wait_since(9, 1, 1)}}).empty());
  EXPECT_EQ(find_cycle({{0, wait_since(9, 1, 1)}, {1, wait_since(9, 1, 1)}}).size(), 2u);
}

}  // namespace
}  // namespace atrium
