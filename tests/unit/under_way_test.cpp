// Numbers that are given back in any order.
// SPDX-License-Identifier: BSD-3-Clause
#include "wire/under_way.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace atrium {
namespace {

TEST(UnderWay, nothing_has_ended_that_has_not_begun_and_nothing_is_awaited_at_first) {
  UnderWay writes;
  EXPECT_TRUE(writes.is_idle());
  EXPECT_TRUE(writes.have_ended(writes.last_begun()));
  EXPECT_EQ(writes.begin(), 1u);
  EXPECT_FALSE(writes.have_ended(1));
  EXPECT_FALSE(writes.is_idle());
}

TEST(UnderWay, all_up_to_a_number_have_ended_in_whatever_order_they_did) {
  std::vector<uint64_t> order{1, 2, 3, 4};
  do {
    UnderWay writes;
    for (size_t i = 0; i < order.size(); ++i) writes.begin();
    for (size_t ended = 0; ended < order.size(); ++ended) {
      writes.end(order[ended]);
      for (uint64_t up_to = 0; up_to <= order.size(); ++up_to) {
        bool all = true;
        for (uint64_t n = 1; n <= up_to; ++n)
          all = all && std::find(order.begin(), order.begin() + static_cast<ptrdiff_t>(ended) + 1, n) !=
                           order.begin() + static_cast<ptrdiff_t>(ended) + 1;
        EXPECT_EQ(writes.have_ended(up_to), all) << up_to;
      }
    }
    EXPECT_TRUE(writes.is_idle());
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(UnderWay, what_begins_later_keeps_nobody_waiting) {
  UnderWay writes;
  const uint64_t mine = writes.begin();
  for (int i = 0; i < 1000; ++i) writes.begin();
  writes.end(mine);
  EXPECT_TRUE(writes.have_ended(mine));
  EXPECT_FALSE(writes.have_ended(writes.last_begun()));
}

}  // namespace
}  // namespace atrium
