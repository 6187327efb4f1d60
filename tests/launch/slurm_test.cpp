// The variables of a Slurm job are read as Slurm writes them, and fill in what oshrun's command line leaves open.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "launch/hosts/slurm_job.hpp"

namespace atrium {
namespace {

using Counts = std::vector<int>;

TEST(SlurmCounts, are_given_by_node_or_for_several_at_once) {
  EXPECT_EQ(counts_by_node("4"), (Counts{4}));
  EXPECT_EQ(counts_by_node("2(x3),1"), (Counts{2, 2, 2, 1}));
  EXPECT_EQ(counts_by_node("1,72(x2)"), (Counts{1, 72, 72}));
  EXPECT_EQ(counts_by_node("3(x1)"), (Counts{3}));
}

TEST(SlurmCounts, that_cannot_be_read_are_none) {
  for (const char* text : {"", "x", "2,", ",2", "2(x", "2(x)", "2(x3", "2(3)", "2(x0)", "0", "-1", "2 ,1",
                           "2(x99999999)", "99999999999", "2(x3)1"})
    EXPECT_EQ(counts_by_node(text), Counts()) << text;
}

}  // namespace
}  // namespace atrium
