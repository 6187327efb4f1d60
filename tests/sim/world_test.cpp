// The simulator's clock, its network, and whether it notices what goes wrong.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/world.hpp"

#include <gtest/gtest.h>

#include "coll/coll.hpp"
#include "os/futex.hpp"
#include "sim/measure.hpp"
#include "sim/own_process.hpp"
#include "sim/random_job.hpp"
#include "team/nodes.hpp"
#include "team/world.hpp"
#include "wait/wait.hpp"

namespace atrium::sim {
namespace {

constexpr Costs round_costs{
    .o = 100, .L = 1000, .g = 10, .G = 1, .wake = 50, .block = 0, .copy = 0, .combine = 0};

Figures barrier_of(int nodes, int places) {
  auto figures = measure_on(blocks_of(nodes, places, 4), round_costs, {"barrier", 8, 10});
  EXPECT_TRUE(figures);
  return figures ? *figures : Figures{};
}

// o, then g + L on the way, g + G for each byte on the other card, o.
double microseconds_of_message(double bytes) { return (100 + 1000 + 10 + bytes + 100) / 1e3; }

// One message each way at the same time.
TEST(Clock, a_barrier_of_two_nodes_takes_what_one_message_does) {
  const Figures figures = barrier_of(2, 1);
  EXPECT_EQ(figures.messages_per_node, 1);
  EXPECT_NEAR(figures.microseconds, microseconds_of_message(figures.bytes_per_node), 1e-9);
}

TEST(Clock, a_barrier_of_sixteen_nodes_takes_four_rounds) {
  const double one = microseconds_of_message(barrier_of(2, 1).bytes_per_node);
  const double four = barrier_of(16, 1).microseconds;
  EXPECT_GE(four, 4 * one);
  EXPECT_LT(four, 4.5 * one + 4 * 0.5);  // acknowledgements take some time of CPUs and cards
}

// Nodes 0 to 3 have one switch, 4 to 7 another: of what each sends, four sevenths go through links.
Figures alltoall_of(int nodes_of_switch, double narrower, size_t bytes) {
  Costs costs = round_costs;
  costs.nodes_of_switch = nodes_of_switch, costs.narrower = narrower;
  auto figures = measure_on(blocks_of(8, 1, 1), costs, {"alltoall", bytes, 2});
  EXPECT_TRUE(figures);
  return figures ? *figures : Figures{};
}

TEST(Tree, whose_links_are_as_fast_as_its_cards_costs_little) {
  const double without = alltoall_of(0, 1, 65536).microseconds;
  EXPECT_GE(alltoall_of(4, 1, 65536).microseconds, without);
  EXPECT_LE(alltoall_of(4, 1, 65536).microseconds, 1.25 * without);
  EXPECT_EQ(alltoall_of(8, 4, 65536).microseconds, without);  // one switch
}

TEST(Tree, whose_links_are_narrower_carries_less) {
  const double bytes_up = 4.0 * 4 * 65536,
               links = 4.0 / 4;  // ns per byte: G, four times narrower, of four nodes
  EXPECT_GE(alltoall_of(4, 4, 65536).microseconds, bytes_up * links / 1e3);
  EXPECT_LE(alltoall_of(4, 4, 65536).microseconds, 1.5 * bytes_up * links / 1e3);
}

TEST(Clock, events_of_one_time_happen_in_the_order_in_which_they_were_entered) {
  sim::Clock clock;
  std::string order;
  clock.at(20, [&] { order += "c"; });
  clock.at(10, [&] { order += "a"; });
  clock.at(10, [&] { order += "b"; });
  while (clock.step()) {
  }
  EXPECT_EQ(order, "abc");
  EXPECT_EQ(clock.now(), 20);
}

TEST(World, a_standstill_names_who_waits) {
  World& world = *new World(blocks_of(2, 2, 4), round_costs, Disturbances{});
  auto ended = world.run([](Pe& pe) {
    pe.at = "a sync";
    if (pe.number != 3) sync_all();
  });
  ASSERT_FALSE(ended);
  EXPECT_NE(ended.error().because.find("PE 0 in a sync"), std::string::npos) << ended.error().because;
}

// A store that wakes nobody is what a lost wake-up is.
TEST(World, a_lost_wake_up_is_a_standstill) {
  static World& world = *new World(blocks_of(1, 2, 4), round_costs, Disturbances{});
  static std::atomic<int> flag{0};
  auto ended = world.run([](Pe& pe) {
    if (pe.number == 1) return world.compute(microsecond), flag.store(1);
    wait_for([] { return flag.load() != 0; });
  });
  EXPECT_FALSE(ended);
}

TEST(World, pes_have_variables_of_their_own) {
  World& world = *new World(blocks_of(3, 5, 2), round_costs, Disturbances{});
  int right = 0;
  auto ended = world.run([&](Pe& pe) {
    sync_all();
    right += world_team.me == pe.number && shared_team.me == pe.place && placement.node() == pe.node;
  });
  EXPECT_TRUE(ended);
  EXPECT_EQ(right, 15);
}

// As blocks, and dealt in turns.
TEST(World, the_team_of_a_node_reads_the_deltas_of_the_world_where_its_pes_follow_each_other) {
  for (const bool in_turns : {false, true}) {
    JobShape shape = blocks_of(3, 5, 2);
    for (int pe = 0; in_turns && pe < shape.pes(); ++pe) shape.nodes[static_cast<size_t>(pe)] = pe % 3;
    auto right = in_own_process("a job", [&] {
      int right = 0;
      auto ended = (new World(shape, Costs{}, Disturbances{}))->run([&](Pe& pe) {
        const bool alike = shared_team.delta == world_team.delta + shared_team.world_pe(0);
        right += alike != in_turns;
        for (int member = 0; member < shared_team.size; ++member)
          right += shared_team.delta[member] == world_team.delta[shared_team.world_pe(member)];
        right += shared_team.delta[-1] == ATRIUM_AWAY && shared_team.delta[shared_team.size] == ATRIUM_AWAY;
        pe.at = "a sync";
        sync_all();
      });
      return ended ? std::to_string(right) : ended.error().because;
    });
    EXPECT_TRUE(right);
    EXPECT_EQ(*right, std::to_string(15 * (1 + 5 + 1))) << in_turns;
  }
}

// How many raise the count of a node's leader in a sync of two nodes of 32 PEs. Leaders of domains come to it in a tree.
uint64_t arrivals_at_leader(int domains) {
  JobShape shape = blocks_of(2, 32, 2);
  shape.domains = domains;
  auto counted = in_own_process("a job", [&] {
    uint64_t arrivals = 0;
    auto ended = (new World(shape, round_costs, Disturbances{}))->run([&](Pe& pe) {
      sync_all();
      if (pe.number == 0)
        arrivals = world_team.nodes->node.my_block().neighbours.epoch.load(std::memory_order_relaxed);
    });
    return ended ? std::to_string(arrivals) : "0";
  });
  EXPECT_TRUE(counted);
  return counted ? std::stoul(*counted) : 0;
}
TEST(World, a_large_node_meets_by_its_domains) {
  EXPECT_EQ(arrivals_at_leader(1), 31u);
  EXPECT_EQ(arrivals_at_leader(4), 7u);
}

RandomJob one_step(Kind kind, size_t n) {
  RandomJob plan = draw_job(1, {});
  plan.shape = blocks_of(4, 2, 1);
  plan.disturbances = {.seed = 1};
  plan.leaders.clear();
  plan.forced.assign(7, "auto");
  JobStep step;
  step.kind = kind;
  step.n = n;
  step.source_bytes = n;
  step.dest_bytes = 8 * n;
  step.dest_at = n + 256;
  plan.steps = {step};
  plan.shape.heap_bytes = 10 * n + 1024;
  return plan;
}

TEST(RandomJob, a_right_result_is_right) { EXPECT_TRUE(run_job(one_step(Kind::fcollect, 65536))); }

TEST(RandomJob, a_bit_that_changes_on_its_way_is_found) {
  RandomJob plan = one_step(Kind::fcollect, 65536);
  plan.disturbances.corruption = 1;
  auto result = run_job(plan);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().what.find("an fcollect: a wrong result"), std::string::npos)
      << result.error().what;
}

}  // namespace
}  // namespace atrium::sim
