// In which order a wait spins, yields and sleeps, and what starts it again.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "wait/stages.hpp"

namespace atrium {
namespace {

using Stage = WaitStages::Stage;

class StagesOfAWait : public testing::Test {
 protected:
  StagesOfAWait() {
    detail::chosen_policy = {};
    detail::chosen_policy.yields = 3;
    detail::chosen_policy.yield_us = 1000;
  }
  ~StagesOfAWait() override { detail::chosen_policy = before_; }

  std::vector<Stage> next(WaitStages& stages, int number) {
    std::vector<Stage> seen(static_cast<size_t>(number));
    std::generate(seen.begin(), seen.end(), [&] { return stages.next([this] { return ++now_ns_; }); });
    return seen;
  }

  uint64_t now_ns_ = 0;

 private:
  const WaitPolicy before_ = wait_policy();
};

TEST_F(StagesOfAWait, come_one_after_another) {
  WaitStages stages(2, true);
  EXPECT_EQ(next(stages, 7), (std::vector{Stage::spin, Stage::spin, Stage::yield, Stage::yield, Stage::yield,
                                          Stage::sleep, Stage::sleep}));
  stages.reset();
  EXPECT_EQ(next(stages, 3), (std::vector{Stage::spin, Stage::spin, Stage::yield}));
}

TEST_F(StagesOfAWait, read_the_clock_when_they_yield_and_not_before) {
  WaitStages stages(5, true);
  next(stages, 5);
  EXPECT_EQ(now_ns_, 0u);
  EXPECT_FALSE(stages.is_first_yield());
  next(stages, 1);
  EXPECT_EQ(now_ns_, 1u);
  EXPECT_TRUE(stages.is_first_yield());
}

TEST_F(StagesOfAWait, yield_no_longer_than_the_policy_says) {
  detail::chosen_policy.yields = UINT32_MAX;
  WaitStages stages(0, true);
  EXPECT_EQ(next(stages, 2), (std::vector{Stage::yield, Stage::yield}));
  now_ns_ += 1'000'001;
  EXPECT_EQ(next(stages, 1), std::vector{Stage::sleep});
  stages.yield_again();
  EXPECT_EQ(next(stages, 1), std::vector{Stage::yield});
}

TEST_F(StagesOfAWait, that_may_not_sleep_yield_for_ever) {
  WaitStages stages(0, false);
  now_ns_ = 1;
  next(stages, 1);
  now_ns_ += 1'000'000'000;
  EXPECT_EQ(next(stages, 5), std::vector(5, Stage::yield));
}

}  // namespace
}  // namespace atrium
