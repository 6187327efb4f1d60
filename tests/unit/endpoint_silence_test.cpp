// Endpoints whose network fails: it is cut, a peer is stopped, or the engine reports an error.
// SPDX-License-Identifier: BSD-3-Clause
#include "endpoint_world.hpp"
#include "network/endpoint.hpp"
#include "wire/protocol.hpp"

namespace atrium {
namespace {

TEST(Endpoint, a_node_that_is_cut_off_is_named_in_time) {
  World world(ideal(), 2);
  Pending pending = 0;
  const uint64_t value = 1;
  world.at(0).put(&pending, world.place(1, 0), &value, 8);
  world.at(0).quiet(&pending);
  world.network().cut(0, 1);
  world.at(0).put(&pending, world.place(1, 0), &value, 8);
  world.at(0).quiet(&pending);
  ASSERT_EQ(world.failures.size(), 1u);
  EXPECT_EQ(world.failures[0].find("host1 does not answer"), 0u) << world.failures[0];
  ASSERT_EQ(world.notes.size(), 1u);
  EXPECT_EQ(world.notes[0].find("host1 has not answered for 10 s"), 0u) << world.notes[0];
}

// As in a barrier: a flag of mine has gone, without asking for an answer, and one of the other node should come.
TEST(Endpoint, a_node_that_is_cut_off_is_named_though_nothing_was_asked_of_it) {
  World world(ideal(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  world.network().cut(0, 1);
  let_pass(world, 100);
  ASSERT_EQ(world.failures.size(), 1u);
  EXPECT_EQ(world.failures[0].find("host1 does not answer"), 0u) << world.failures[0];
}

// The same with data behind which the flag goes.
TEST(Endpoint, a_node_that_is_cut_off_is_named_though_the_landing_of_large_data_was_not_asked_for) {
  World world(ideal(), 2);
  const std::vector<char> data = pattern(put_by_record + 1, 1);
  world.at(0).raise(world.place(1, 8), 9, world.place(1, 64), data.data(), data.size());
  for (int turn = 0; turn < 4; ++turn) world.at(0).progress();
  world.network().cut(0, 1);
  let_pass(world, 100);
  ASSERT_EQ(world.failures.size(), 1u);
  EXPECT_EQ(world.failures[0].find("host1 does not answer"), 0u) << world.failures[0];
}

TEST(Endpoint, large_data_whose_landing_was_not_asked_for_are_asked_about_once) {
  World world(ideal(), 2);
  const std::vector<char> data = pattern(put_by_record + 1, 1);
  world.at(0).raise(world.place(1, 8), 9, world.place(1, 64), data.data(), data.size());
  let_pass(world, 1000);
  EXPECT_TRUE(world.failures.empty());
  EXPECT_EQ(world.word(1, 8), 9u);
  EXPECT_EQ(world.at(0).liveness().oldest_transfer, 0u);
  EXPECT_EQ(world.at(0).messages_sent(), 2u);
  EXPECT_EQ(world.at(1).messages_sent(), 1u);
}

TEST(Endpoint, a_node_that_is_silent_is_told_to_the_launcher_until_it_is_heard) {
  World world(ideal(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  world.network().cut(0, 1);
  let_pass(world, 5);
  EXPECT_FALSE(world.at(0).liveness().silent_peer());
  let_pass(world, 5);
  const auto silent = world.at(0).liveness().silent_peer();
  ASSERT_TRUE(silent);
  EXPECT_EQ(silent->node, 1u);
  EXPECT_EQ(silent->endpoint, 0u);
  EXPECT_FALSE(world.at(1).liveness().silent_peer());  // it waits for nothing
  EXPECT_NE(world.at(1).liveness().turns, 0u);
  world.network().join(0, 1);
  let_pass(world, 1);
  EXPECT_FALSE(world.at(0).liveness().silent_peer());
  EXPECT_TRUE(world.failures.empty());
}

TEST(Endpoint, large_data_under_way_are_told_to_the_launcher) {
  World world(ideal(), 2);
  const std::vector<char> data = pattern(put_by_record + 1, 1);
  Pending pending = 0;
  world.at(0).put(&pending, world.place(1, 0), data.data(), data.size(), true);
  world.at(0).put(&pending, world.place(1, 0), data.data(), data.size(), true);
  EXPECT_EQ(world.at(0).liveness().oldest_transfer, 1u);
  EXPECT_EQ(world.at(0).liveness().newest_transfer, 2u);
  world.at(0).quiet(&pending);
  EXPECT_EQ(world.at(0).liveness().oldest_transfer, 0u);
}

// As after Ctrl-Z, or a night in which the machine was suspended: nobody has listened.
TEST(Endpoint, a_process_that_was_stopped_blames_nobody) {
  World world(ideal(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  world.network().cut(0, 1);
  let_pass(world, 3);
  world_clock += 1000ull * 1'000'000'000;
  let_pass(world, 1);
  EXPECT_TRUE(world.failures.empty());
  EXPECT_FALSE(world.at(0).liveness().silent_peer());
  let_pass(world, 70);  // now it listens
  EXPECT_EQ(world.failures.size(), 1u);
}

TEST(Endpoint, whoever_has_nothing_to_say_is_asked_once) {
  World world(ideal(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  let_pass(world, 1000);
  EXPECT_TRUE(world.failures.empty());
  EXPECT_EQ(world.word(1, 8), 9u);
  EXPECT_EQ(world.at(0).messages_sent(), 2u);  // the flag, and the question whether it has arrived
  EXPECT_EQ(world.at(1).messages_sent(), 1u);
}

// The time in which nobody had asked is not the other's silence.
TEST(Endpoint, the_shortest_timeout_begins_with_the_question) {
  World::timeout_s = 1;
  World world(ideal(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  bool may_sleep = false;
  for (int tenths = 0; tenths < 19;
       ++tenths) {  // the question goes after ten; host1 is busy with something else
    world_clock += 100'000'000;
    world.at(0).serve(may_sleep);
  }
  EXPECT_TRUE(world.failures.empty());
  EXPECT_EQ(world.at(0).messages_sent(), 2u);
  world.settle(10);
  let_pass(world, 100);
  EXPECT_TRUE(world.failures.empty());
  World::timeout_s = 60;
}

// No launcher hears both ends.
class EndpointByItself : public testing::Test {
 protected:
  EndpointByItself() { World::asks_hosts = true; }
  ~EndpointByItself() override { World::asks_hosts = false; }

  // Of node 0 alone, ten looks in each second.
  void wait_at_node_0(World& world, int tenths) {
    for (int i = 0; i < tenths && world.failures.empty(); ++i) {
      world_clock += 100'000'000;
      bool may_sleep = false;
      world.at(0).serve(may_sleep);
    }
  }
};

TEST_F(EndpointByItself, ends_the_job_when_the_other_host_is_cut_off) {
  World world(ideal(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  world.network().cut(0, 1);
  wait_at_node_0(world, 50);
  EXPECT_TRUE(world.failures.empty());
  wait_at_node_0(world, 30);
  ASSERT_EQ(world.failures.size(), 1u);
  EXPECT_EQ(world.failures[0].find("host1 cannot be reached: "), 0u) << world.failures[0];
}

TEST_F(EndpointByItself, waits_for_a_process_that_is_stopped) {
  World world(ideal(), 2);
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  wait_at_node_0(world, 3000);  // longer than an endpoint waits for somebody of whom nothing is known
  EXPECT_TRUE(world.failures.empty());
}

// For less than three seconds, at whatever moment of the silence of a process that is stopped.
TEST_F(EndpointByItself, a_link_that_is_away_for_a_moment_ends_nothing) {
  for (int begin = 0; begin < 80; ++begin) {
    World world(ideal(), 2);
    world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
    wait_at_node_0(world, begin);
    world.network().cut(0, 1);
    wait_at_node_0(world, 29);
    world.network().join(0, 1);
    wait_at_node_0(world, 100);
    EXPECT_TRUE(world.failures.empty()) << begin;
    let_pass(world, 2);
    EXPECT_EQ(world.word(1, 8), 9u);
  }
}

TEST_F(EndpointByItself, each_silence_has_a_question_of_its_own) {
  World world(ideal(), 2);
  for (int silence = 0; silence < 3; ++silence) {
    world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
    wait_at_node_0(world, 200);
    let_pass(world, 2);
    EXPECT_TRUE(world.failures.empty());
  }
  world.at(0).raise(world.place(1, 8), 9, {}, nullptr, 0);
  world.network().cut(0, 1);
  wait_at_node_0(world, 80);
  EXPECT_EQ(world.failures.size(), 1u);
}

TEST(Endpoint, a_cable_that_is_plugged_in_again_loses_nothing) {
  World world(ideal(), 2);
  Pending pending = 0;
  world.network().cut(0, 1);
  for (uint64_t i = 0; i < 20; ++i) {
    const uint64_t value = i + 1;
    world.at(0).put(&pending, world.place(1, 8 * i), &value, 8);
  }
  world.settle(50);
  world.network().join(0, 1);
  world.at(0).quiet(&pending);
  EXPECT_TRUE(world.failures.empty());
  for (uint64_t i = 0; i < 20; ++i) EXPECT_EQ(world.word(1, 8 * i), i + 1);
}

TEST(Endpoint, an_error_of_the_engine_ends_the_job_with_its_text) {
  World world(ideal(), 2);
  Pending pending = 0;
  world.network().fail_next(0);
  const uint64_t value = 1;
  world.at(0).put(&pending, world.place(1, 0), &value, 8);
  world.at(0).quiet(&pending);
  ASSERT_EQ(world.failures.size(), 1u);
  EXPECT_NE(world.failures[0].find("as asked"), std::string::npos);
}

}  // namespace
}  // namespace atrium
