// How often a wait looks at the network.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/wait.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

namespace atrium {
namespace {

// A job of several nodes whose PEs yield, with a network of the test's.
class LooksOfAWait : public testing::Test {
 protected:
  LooksOfAWait() {
    detail::chosen_policy = choose_wait_policy(WaitMode::yield, 8, 2, false);
    set_meanwhile({[] {
                     ++looks;
                     return something_comes;
                   },
                   nullptr});
  }
  ~LooksOfAWait() override {
    set_meanwhile({});
    detail::chosen_policy = before_;
  }

  static int looks_in(int turns, bool ends_here, bool comes) {
    WaitReason reason;
    reason.ends_here = ends_here;
    something_comes = comes;
    looks = 0;
    wait_for(reason, [&] { return --turns < 0; });
    return looks;
  }

 private:
  static inline int looks = 0;
  static inline bool something_comes = false;
  const WaitPolicy before_ = wait_policy();
};

constexpr int turns = 80;

TEST_F(LooksOfAWait, one_for_another_node_looks_at_every_turn) {
  EXPECT_GE(looks_in(turns, false, false), turns - 2);
}

TEST_F(LooksOfAWait, one_for_a_neighbour_looks_seldom_but_goes_on) {
  looks_in(turns, true, false);
  EXPECT_LE(looks_in(turns, true, false), turns / 8 + 1);
  EXPECT_GE(looks_in(turns, true, false), turns / 8 - 1);
}

TEST_F(LooksOfAWait, one_for_a_neighbour_looks_at_every_turn_while_something_comes) {
  looks_in(turns, true, false);
  EXPECT_GE(looks_in(turns, true, true), turns - 10);
}

TEST_F(LooksOfAWait, one_that_spins_looks_as_often_however_long_it_lasts) {
  detail::chosen_policy = choose_wait_policy(WaitMode::spin, 1, 2, false);
  detail::chosen_policy.spins = 1000;  // the first stage is soon over
  const int lasting = 100 * static_cast<int>(detail::looks_here_per_look_away);
  EXPECT_GE(looks_in(lasting, false, false), 98);
}

// What a wait says of itself that ends 0.3 s after the first second. Where others keep the CPU meanwhile, they do not count.
std::string note_of_a_long_wait() {
  using namespace std::chrono;
  detail::chosen_policy.note_after_s = 1;
  const auto begin = steady_clock::now();
  auto last = begin;
  steady_clock::duration looked{};
  testing::internal::CaptureStderr();
  wait_for(WaitReason{WaitKind::lock}, [&] {
    const auto now = steady_clock::now();
    if (now - begin > seconds(1)) looked += std::min<steady_clock::duration>(now - last, milliseconds(10));
    last = now;
    return looked > milliseconds(300);
  });
  return testing::internal::GetCapturedStderr();
}

TEST_F(LooksOfAWait, one_that_lasts_is_noted_also_where_nobody_sleeps) {
  EXPECT_NE(note_of_a_long_wait().find("has waited 1 s for a lock"), std::string::npos);
}

TEST_F(LooksOfAWait, one_that_lasts_is_noted_also_while_something_comes) {
  detail::chosen_policy = choose_wait_policy(WaitMode::automatic, 1, 2, false);
  looks_in(turns, false, true);
  EXPECT_NE(note_of_a_long_wait().find("has waited 1 s for a lock"), std::string::npos);
}

}  // namespace
}  // namespace atrium
