// Which policy is chosen for which job.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "wait/policy.hpp"

namespace atrium {
namespace {

TEST(WaitPolicy, a_cpu_for_every_pe_means_spinning_first_and_inlined_stores) {
  const WaitPolicy policy = choose_wait_policy(WaitMode::automatic, 4, 4, false);
  EXPECT_GT(policy.spins, 100u);
  EXPECT_TRUE(policy.blocks);
  EXPECT_FALSE(policy.writers_wake);
}

TEST(WaitPolicy, more_pes_than_cpus_yield_at_once_and_are_woken) {
  const WaitPolicy policy = choose_wait_policy(WaitMode::automatic, 8, 2, false);
  EXPECT_EQ(policy.spins, 0u);
  EXPECT_GT(policy.yields, 10u);
  EXPECT_LT(policy.yields, 100u);
  EXPECT_TRUE(policy.writers_wake);
}

TEST(WaitPolicy, a_crowd_naps_longer_but_never_long) {
  const uint32_t few = choose_wait_policy(WaitMode::automatic, 4, 2, false).last_nap_us;
  const uint32_t many = choose_wait_policy(WaitMode::automatic, 256, 2, false).last_nap_us;
  EXPECT_LT(few, many);
  EXPECT_LE(many, 20'000u);
}

// Each look of a sleeper takes microseconds: those of all must leave the CPU to the PEs that still start.
TEST(WaitPolicy, thousands_of_pes_on_a_cpu_nap_at_most_8_times_in_a_millisecond) {
  for (const int pes : {400, 1000, 4000})
    EXPECT_LE(
        pes * 1000 / static_cast<int>(choose_wait_policy(WaitMode::automatic, pes, 1, false).last_nap_us),
        8 + 1);
}

TEST(WaitPolicy, no_mode_spins_or_yields_for_ever_in_a_real_time_class) {
  for (WaitMode mode : {WaitMode::automatic, WaitMode::spin, WaitMode::yield, WaitMode::block}) {
    const WaitPolicy policy = choose_wait_policy(mode, 2, 8, true);
    EXPECT_TRUE(policy.blocks);
    EXPECT_LT(policy.spins, 1000u);
    EXPECT_LT(policy.yields, 1000u);
  }
}

TEST(WaitPolicy, every_word_of_the_setting_has_its_mode) {
  EXPECT_EQ(wait_mode_from("auto"), WaitMode::automatic);
  EXPECT_EQ(wait_mode_from("spin"), WaitMode::spin);
  EXPECT_EQ(wait_mode_from("yield"), WaitMode::yield);
  EXPECT_EQ(wait_mode_from("block"), WaitMode::block);
}

TEST(WaitPolicy, only_who_may_have_a_cpu_to_itself_and_was_told_nothing_watches_it) {
  EXPECT_TRUE(choose_wait_policy(WaitMode::automatic, 2, 2, false).watches_cpu);
  EXPECT_FALSE(choose_wait_policy(WaitMode::automatic, 3, 2, false).watches_cpu);
  for (WaitMode mode : {WaitMode::spin, WaitMode::yield, WaitMode::block})
    EXPECT_FALSE(choose_wait_policy(mode, 2, 2, false).watches_cpu);
}

}  // namespace
}  // namespace atrium
