// When a network counts as cut (launch/hosts/network_watch.hpp).
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/network_watch.hpp"

#include <gtest/gtest.h>

namespace atrium {
namespace {

// Two nodes with two PEs each; PE 0 hears nothing of the second endpoint of node 1, which is PE 3's.
class Watch : public testing::Test {
 protected:
  Watch() : made_(JobSegment::create({0, 0, 1, 1}, {})), segment_(std::move(*made_)), watch_(segment_, 4) {}

  Liveness& of(int pe) { return const_cast<Liveness&>(*segment_.liveness(pe)); }
  std::vector<SilentPeer> check(std::vector<int> turning) {
    for (const int pe : turning) of(pe).count_turn();
    return watch_.check();
  }

  Result<JobSegment> made_;
  JobSegment segment_;
  NetworkWatch watch_;
};

TEST_F(Watch, who_hears_nothing_and_takes_turns_for_a_while_says_so) {
  of(0).report_silent({1, 1});
  for (int turn = 0; turn < 2; ++turn) EXPECT_TRUE(check({0}).empty());
  const auto silent = check({0});
  ASSERT_EQ(silent.size(), 1u);
  EXPECT_EQ(silent[0].pe, 0);
  EXPECT_EQ(silent[0].silent_pe, 3);
  EXPECT_TRUE(check({}).empty());  // it has stopped looking
  of(0).report_answer();
  for (int turn = 0; turn < 4; ++turn) EXPECT_TRUE(check({0}).empty());
}

TEST_F(Watch, whoever_has_just_come_back_may_still_answer) {
  for (int turn = 0; turn < 2; ++turn) check({3});
  EXPECT_FALSE(watch_.would_answer(3));
  check({3});
  EXPECT_TRUE(watch_.would_answer(3));
  check({});
  EXPECT_FALSE(watch_.would_answer(3));
  check({3});
  EXPECT_FALSE(watch_.would_answer(3));
}

TEST_F(Watch, an_answer_may_be_behind_large_data_unless_they_do_not_go_on_either) {
  of(3).report_transfers(7, 5);
  for (int turn = 0; turn < 3; ++turn) check({3});
  EXPECT_FALSE(watch_.would_answer(3));
  of(3).report_silent({0, 0});
  EXPECT_TRUE(watch_.would_answer(3));
}

TEST_F(Watch, no_answer_is_behind_large_data_that_began_a_moment_ago) {
  for (uint64_t turn = 0; turn < 4; ++turn) {
    of(3).report_transfers(3 * turn + 3, 3 * turn + 1);  // always some, never for long
    check({3});
  }
  EXPECT_TRUE(watch_.would_answer(3));
  of(3).report_transfers(20, 12);
  check({3});
  EXPECT_FALSE(watch_.would_answer(3));
  of(3).report_transfers(20, 0);
  check({3});
  EXPECT_TRUE(watch_.would_answer(3));
}

TEST_F(Watch, what_makes_no_sense_is_not_believed) {
  for (int pe : {-1, 4, 1 << 30}) EXPECT_FALSE(watch_.would_answer(pe));
  for (const Liveness::Peer peer : {Liveness::Peer{2, 0}, {1, 2}, {1u << 31, 0}}) {
    of(0).report_silent(peer);
    for (int turn = 0; turn < 4; ++turn) EXPECT_TRUE(check({0}).empty());
  }
}

TEST(SilentPeer, that_has_no_file_left_is_no_cut_of_the_network) {
  const Error error = describe_full({0, "a", 3}, "b", 256);
  EXPECT_EQ(error.what, "PE 3 on b can take no connection");
  EXPECT_NE(error.because.find("256 files open"), std::string::npos);
  EXPECT_NE(error.remedy.find("ulimit -n"), std::string::npos);
}

}  // namespace
}  // namespace atrium
