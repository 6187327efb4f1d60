// Clocks: merging, and operations that arrive before their predecessors.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/clock/clock.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace atrium::race {
namespace {

std::unique_ptr<VectorClock> new_clock() { return std::make_unique<VectorClock>(); }

TEST(clock, knows_what_came_before_a_known_tick) {
  const auto clock = new_clock();
  clock->tick[3] = 7;
  EXPECT_TRUE(clock->knows(3, 7));
  EXPECT_TRUE(clock->knows(3, 1));
  EXPECT_FALSE(clock->knows(3, 8));
  EXPECT_FALSE(clock->knows(4, 1));
}

TEST(clock, merging_takes_the_later_of_each_lane) {
  const auto mine = new_clock(), theirs = new_clock();
  mine->tick[0] = 5, mine->tick[1] = 1;
  theirs->tick[0] = 2, theirs->tick[1] = 9, theirs->tick[2] = 4;
  mine->merge(*theirs, 2);
  EXPECT_EQ(mine->tick[0], 5u);
  EXPECT_EQ(mine->tick[1], 9u);
  EXPECT_EQ(mine->tick[2], 0u) << "lane 2 is not in use";
}

TEST(clock, an_arrival_says_nothing_of_those_before_it) {
  const auto clock = new_clock();
  clock->admit({9, 5, 1});
  EXPECT_TRUE(clock->knows(1, 9));
  EXPECT_FALSE(clock->knows(1, 5));
  EXPECT_FALSE(clock->knows(1, 8));
}

TEST(clock, arrivals_in_order_need_no_room) {
  const auto clock = new_clock();
  for (Tick tick = 1; tick < 1000; ++tick) clock->admit({tick, tick - 1, 6});
  EXPECT_EQ(clock->arrivals_count, 0u);
  EXPECT_EQ(clock->tick[6], 999u);
}

TEST(clock, a_gap_that_is_filled_absorbs_what_came_after_it) {
  const auto clock = new_clock();
  clock->admit({30, 20, 2});
  clock->admit({20, 10, 2});
  EXPECT_EQ(clock->arrivals_count, 2u);
  clock->admit({10, 0, 2});
  EXPECT_EQ(clock->arrivals_count, 0u);
  EXPECT_EQ(clock->tick[2], 30u);
}

TEST(clock, merging_fills_gaps_from_either_side) {
  const auto mine = new_clock(), theirs = new_clock();
  mine->admit({20, 10, 2});
  theirs->tick[2] = 10;
  mine->merge(*theirs, 4);
  EXPECT_EQ(mine->tick[2], 20u);
  const auto early = new_clock();
  early->admit({40, 30, 2});
  early->tick[2] = 30;
  early->absorb();
  mine->merge(*early, 4);
  EXPECT_EQ(mine->tick[2], 40u);
}

TEST(clock, more_arrivals_than_there_is_room_for_drop_the_oldest) {
  const auto clock = new_clock();
  for (Tick i = 0; i <= VectorClock::most_arrivals; ++i) clock->admit({10 * i + 10, 10 * i + 5, 1});
  EXPECT_EQ(clock->arrivals_count, VectorClock::most_arrivals);
  EXPECT_FALSE(clock->knows(1, 10));
  EXPECT_TRUE(clock->knows(1, 20));
  clock->admit({1000, 900, 2});
  EXPECT_TRUE(clock->knows(2, 1000));
  EXPECT_FALSE(clock->knows(1, 20)) << "the lane that has most gives way";
  for (Tick i = 0; i < VectorClock::most_arrivals; ++i) clock->admit({10 * i + 2000, 10 * i + 1995, 1});
  EXPECT_TRUE(clock->knows(2, 1000)) << "one lane does not drive out another";
}

}  // namespace
}  // namespace atrium::race
