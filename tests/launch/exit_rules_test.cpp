// The rules by which the end of a PE is judged.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/report/exit_rules.hpp"

#include <gtest/gtest.h>

namespace atrium {
namespace {

TEST(ExitRules, ends_the_job_for_any_signal) {
  for (PeState state : {PeState::absent, PeState::running, PeState::left, PeState::explained})
    EXPECT_EQ(verdict_on({true, 9}, state), Verdict::failed);
}

TEST(ExitRules, ends_the_job_for_a_status) {
  for (PeState state : {PeState::absent, PeState::running, PeState::explained})
    EXPECT_EQ(verdict_on({false, 3}, state), Verdict::failed);
}

TEST(ExitRules, lets_others_finish_after_finalize) {
  EXPECT_EQ(verdict_on({false, 3}, PeState::left), Verdict::undecided);
}

TEST(ExitRules, are_undecided_on_a_pe_that_exits_without_finalize) {
  EXPECT_EQ(verdict_on({false, 0}, PeState::running), Verdict::undecided);
  EXPECT_EQ(verdict_on({false, 0}, PeState::left), Verdict::fine);
  EXPECT_EQ(verdict_on({false, 0}, PeState::absent), Verdict::fine);
}

TEST(ExitRules, believes_an_explained_error_more_than_a_scripts_status) {
  EXPECT_EQ(verdict_on({false, 0}, PeState::explained), Verdict::failed);
}

TEST(ExitRules, counts_like_a_shell) {
  EXPECT_EQ((Ending{true, 11}.status()), 139);
  EXPECT_EQ((Ending{false, 4}.status()), 4);
}

}  // namespace
}  // namespace atrium
