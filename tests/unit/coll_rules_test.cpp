// Which algorithms are chosen on machines that are not here.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <numeric>
#include <tuple>

#include "coll/alltoall/alltoall.hpp"
#include "coll/alltoall/bruck_plan.hpp"
#include "coll/barrier/barrier.hpp"
#include "coll/broadcast/broadcast.hpp"
#include "coll/collect/collect.hpp"
#include "coll/reduce/reduce.hpp"
#include "team/leader_count.hpp"
#include "team/nodes.hpp"
#include "topology/domain.hpp"
#include "topology/placement.hpp"

namespace atrium {
namespace {

Placement one_on_each_of(int nodes) {
  std::vector<int> node_of(static_cast<size_t>(nodes));
  std::iota(node_of.begin(), node_of.end(), 0);
  return Placement(0, node_of);
}

// A team of the world's first PEs, on a machine of so many caches of so many cores, bound in order.
class Machine : public testing::Test {
 protected:
  void SetUp() override { traits_ = std::exchange(detail::job_traits, 0); }
  void TearDown() override { detail::job_traits = traits_; }

  Team& team_of(int pes, int cores_per_cache) {
    std::vector<Domain> domains;
    for (int pe = 0; pe < pes; ++pe) domains.push_back({pe / cores_per_cache * cores_per_cache, 0});
    set_placement(Placement::on_one_node(0, pes));
    set_domains_of_places(domains);
    team_ = Team{};
    team_.me = 0;
    team_.size = pes;
    return team_;
  }
  std::string barrier(int pes, int cores_per_cache) {
    return barriers.choose(team_of(pes, cores_per_cache), 0).name;
  }

  // By a team with so many PEs on each of so many nodes.
  template <class Family>
  std::string choose_on(int nodes, Family& family, size_t bytes, int places = 1) {
    Placement::Builder pes;
    for (int node = 0; node < nodes; ++node) pes.add(node, places);
    team_ = Team{};
    team_.size = nodes * places;
    team_.spans_nodes = true;
    team_.nodes = std::make_shared<TeamNodes>();
    team_.nodes->place(pes.seen_by(0));
    return family.choose(team_, bytes).name;
  }
  // Whether an alltoall of a word had better be passed on by the leaders of nodes of one PE.
  bool rounds_take_less(int nodes) {
    choose_on(nodes, alltoall_family, 8);
    const AlltoallBlocks blocks{nullptr, nullptr, 1, 1, 1, 8, 1};
    return best_bruck_plan(*team_.nodes, blocks).cost < best_leaders_plan(*team_.nodes, blocks).cost;
  }

  Team team_;
  uint64_t traits_ = 0;
};

TEST_F(Machine, sixteen_caches_of_eight_cores_meet_on_two_levels) {
  EXPECT_EQ(barrier(128, 8), "two_level");
  EXPECT_STREQ(reductions.choose(team_of(128, 8), 8).name, "two_level");
  EXPECT_STREQ(broadcasts.choose(team_of(128, 8), 8).name, "two_level");
  EXPECT_STREQ(broadcasts.choose(team_of(128, 8), 1 << 20).name, "two_level");
}

TEST_F(Machine, one_socket_with_one_cache_meets_on_one_level) {
  EXPECT_EQ(barrier(48, 48), "dissemination");
  EXPECT_EQ(barrier(96, 96), "tree");
  EXPECT_STREQ(reductions.choose(team_of(48, 48), 8).name, "share");
  EXPECT_STREQ(broadcasts.choose(team_of(48, 48), 1 << 20).name, "pull");
}

TEST_F(Machine, two_sockets_meet_on_two_levels) { EXPECT_EQ(barrier(96, 48), "two_level"); }

TEST_F(Machine, small_teams_meet_directly_wherever_they_are) {
  EXPECT_EQ(barrier(2, 1), "dissemination");
  EXPECT_EQ(barrier(8, 4), "dissemination");
  EXPECT_STREQ(reductions.choose(team_of(8, 4), 8).name, "eager_exchange");
}

// Small data is read by all, larger data in slices; what fits a core's own cache is read there, and the rest is written.
TEST_F(Machine, members_read_what_fits_their_own_cache) {
  constexpr size_t KiB = 1024;
  const auto fcollect = [&](int pes, size_t bytes) {
    return std::string(fcollects.choose(team_of(pes, pes), bytes).name);
  };
  EXPECT_EQ(fcollect(16, 2 * KiB), "share");
  EXPECT_EQ(fcollect(16, 4 * KiB), "pull");
  EXPECT_EQ(fcollect(16, 64 * KiB), "pull");
  EXPECT_EQ(fcollect(16, 64 * KiB + 1), "put");
  EXPECT_EQ(fcollect(4, 256 * KiB), "pull");
  EXPECT_EQ(fcollect(2, 4 * KiB), "put");
  EXPECT_STREQ(broadcasts.choose(team_of(8, 8), 1 * KiB).name, "pull");
  const auto alltoall = [&](int pes, size_t bytes) {
    return std::string(alltoall_family.choose(team_of(pes, pes), bytes).name);
  };
  EXPECT_EQ(alltoall(16, 32), "eager_exchange");
  EXPECT_EQ(alltoall(16, 128), "put");
  EXPECT_EQ(alltoall(16, 256), "pull");
  EXPECT_EQ(alltoall(16, 1024 * KiB), "put");
}

TEST_F(Machine, all_members_reduce_everything_while_that_is_little) {
  constexpr size_t KiB = 1024;
  const auto reduction = [&](int pes, size_t bytes) {
    return std::string(reductions.choose(team_of(pes, pes), bytes).name);
  };
  EXPECT_EQ(reduction(16, 512), "share");
  EXPECT_EQ(reduction(16, 1 * KiB), "push");
  EXPECT_EQ(reduction(4, 2 * KiB), "share");
  EXPECT_EQ(reduction(2, 2 * KiB), "share");
  EXPECT_EQ(reduction(16, 64 * KiB), "pull");
  EXPECT_EQ(reduction(4, 64 * KiB), "push");
}

// A team remembers what was chosen last, and for what.
TEST_F(Machine, another_size_another_family_or_another_wish_is_a_new_choice) {
  Team& team = team_of(48, 48);
  const char* const small = broadcasts.choose(team, 8).name;
  EXPECT_STREQ(broadcasts.choose(team, 1 << 20).name, "pull");
  EXPECT_STREQ(broadcasts.choose(team, 8).name, small);
  EXPECT_STRNE(small, "pull");
  EXPECT_STREQ(barriers.choose(team, 8).name, "dissemination");
  ASSERT_TRUE(broadcasts.force("put"));
  EXPECT_STREQ(broadcasts.choose(team, 8).name, "put");
  ASSERT_TRUE(broadcasts.force("auto"));
  EXPECT_STREQ(broadcasts.choose(team, 8).name, small);
}

TEST_F(Machine, pes_that_share_cpus_avoid_levels) {
  detail::job_traits = oversubscribed;
  EXPECT_EQ(barrier(128, 8), "central");
  EXPECT_STREQ(reductions.choose(team_of(128, 8), 8).name, "share");
  EXPECT_STREQ(reductions.choose(team_of(128, 8), 1 << 20).name, "push");
  EXPECT_STREQ(fcollects.choose(team_of(128, 8), 4096).name, "put");
}

// A team of every eighth PE has one member in each cache.
TEST_F(Machine, domains_are_those_of_the_members_and_not_of_the_world) {
  Team& team = team_of(128, 8);
  team.size = 16;
  team.stride = 8;
  team.me = 3;
  EXPECT_EQ(domains_of(team).count(), 16);
  const auto neighbours = domains_of(team).neighbours();
  EXPECT_EQ(neighbours.size(), 1u);
  EXPECT_EQ(neighbours.front(), 3);
}

TEST_F(Machine, members_of_which_nothing_is_known_are_one_domain) {
  set_placement(Placement::on_one_node(0, 32));
  set_domains_of_places(std::vector<Domain>(32));
  Team& team = team_;
  team.me = 0;
  team.size = 32;
  EXPECT_FALSE(spans_domains(team));
}

// PEs of nodes 0, 1, 1, 2, 2, 2 in turns of a team that takes every PE but the first, backwards.
TEST_F(Machine, leaders_are_the_first_members_of_each_node_as_far_as_the_smallest_has_some) {
  set_placement(Placement(5, {0, 1, 1, 2, 2, 2, 1}));
  std::vector<ptrdiff_t> deltas;
  for (int pe : {6, 5, 4, 3, 2, 1}) deltas.push_back(placement.is_here(pe) ? 0 : ATRIUM_AWAY);
  alignas(4096) static std::byte places[4096];  // named, never looked at
  Team& team = team_;
  team.me = 1;
  team.size = 6;
  team.start = 6;
  team.stride = -1;
  team.delta = deltas.data();
  team.block = reinterpret_cast<TeamBlock*>(places);
  team.spans_nodes = true;
  const auto nodes = lay_on_nodes(team);
  team.nodes = nodes;
  connect_on_nodes(team);
  const auto members_on = [&](int node) {
    const auto members = nodes->members.pes_of(node);
    return std::vector<int>(members.begin(), members.end());
  };
  EXPECT_EQ(members_on(0), (std::vector{0, 4, 5}));
  EXPECT_EQ(members_on(1), (std::vector{1, 2, 3}));
  for (int member = 0; member < 6; ++member)
    EXPECT_EQ(nodes->position(member), (std::vector{0, 3, 4, 5, 1, 2}[static_cast<size_t>(member)]));
  EXPECT_EQ(nodes->me, 1);
  EXPECT_EQ(nodes->most_leaders(), 3);
  EXPECT_EQ(nodes->node.me, 0);
  EXPECT_EQ(nodes->node.world_pe(2), 3);
  EXPECT_FALSE(nodes->node.spans_nodes);
  EXPECT_EQ(nodes->leaders.world_pe(0), 6);
  EXPECT_EQ(nodes->leaders.world_pe(1), 5);
  EXPECT_EQ(leaders_of(*nodes), 3);
  EXPECT_STREQ(barriers.choose(team, 0).name, "leaders");
  EXPECT_STREQ(reductions.choose(team, 8).name, "leaders");
  EXPECT_STREQ(reductions.choose(team, 64 << 10).name, "leaders_put");
  EXPECT_STREQ(reductions.choose(team, 1 << 20).name, "leaders_slices");
  team.nodes.reset();
}

// However many members there are: only leaders have buffers for others, and nobody has flags for each member.
TEST_F(Machine, who_leads_nobody_has_a_small_block) {
  Placement::Builder builder;
  for (int node = 0; node < 1024; ++node) builder.add(node, 64);
  for (const auto& [me, least, most] : {std::tuple{63, 20u, 40u}, {3, 64u, 160u}, {0, 192u, 450u}}) {
    set_placement(builder.seen_by(me));
    Team& team = team_;
    team.me = me;
    team.size = placement.pes();
    team.start = 0;
    team.stride = 1;
    team.spans_nodes = true;
    team.nodes = lay_on_nodes(team);
    EXPECT_EQ(team.nodes->members.words().data(), placement.words().data()) << "a table of its own";
    EXPECT_GE(block_bytes_of(team), size_t{least} << 10) << me;
    EXPECT_LE(block_bytes_of(team), size_t{most} << 10) << me;
    team.nodes.reset();
  }
}

// A team knows its members by ranges: 8 bytes a node, whatever its distance, in blocks as in turn.
TEST_F(Machine, who_is_where_in_a_strided_team_takes_memory_for_nodes_alone) {
  constexpr int nodes = 1024, places = 64;
  for (const int run : {places, 1})
    for (const int stride : {1, 2, 3, 64, -1}) {
      Placement::Builder builder;
      for (int turn = 0; turn < nodes * places / run; ++turn) builder.add(turn % nodes, run);
      set_placement(builder.seen_by(1));
      Team& team = team_;
      team.me = 0;
      team.stride = stride;
      team.start = stride > 0 ? 0 : placement.pes() - 1;
      team.size = placement.pes() / std::abs(stride);
      team.spans_nodes = true;
      team.nodes = lay_on_nodes(team);
      EXPECT_LE(team.nodes->members.words().size_bytes(), size_t{40} * nodes) << run << ' ' << stride;
      EXPECT_EQ(team.nodes->first.size(), static_cast<size_t>(team.nodes->count()) + 1);
      team.nodes.reset();
    }
}

// Halving takes as many rounds as the number of nodes has bits, and longer where that is no power of two.
TEST_F(Machine, sums_on_many_nodes_are_halved_and_doubled) {
  const auto chosen = [&](int nodes, size_t bytes) { return choose_on(nodes, reductions, bytes); };
  EXPECT_EQ(chosen(40, 32 << 10), "leaders_put");
  EXPECT_EQ(chosen(41, 8 << 10), "leaders");
  EXPECT_EQ(chosen(41, 32 << 10), "leaders_halving");
  EXPECT_EQ(chosen(41, 512 << 10), "leaders_halving");
  EXPECT_EQ(chosen(41, 1 << 20), "leaders_slices");
}

// Around the nodes goes what is large for the number of nodes: each of them is a step that a tree does not have.
TEST_F(Machine, broadcasts_go_around_many_nodes_from_larger_sizes_on) {
  const auto chosen = [&](int nodes, size_t bytes) { return choose_on(nodes, broadcasts, bytes); };
  EXPECT_EQ(chosen(4, 64 << 10), "two_level");
  EXPECT_EQ(chosen(4, 128 << 10), "leaders");
  EXPECT_EQ(chosen(16, 256 << 10), "two_level");
  EXPECT_EQ(chosen(16, 512 << 10), "leaders");
  EXPECT_EQ(chosen(64, 1 << 20), "two_level");
  EXPECT_EQ(chosen(64, 2 << 20), "leaders");
}

// A leader alone would read all of its neighbours' operands.
TEST_F(Machine, small_sums_of_large_nodes_are_divided) {
  EXPECT_FALSE(all_work(4, 4, 1 << 20));  // all are leaders
  EXPECT_FALSE(all_work(64, 4, 1 << 10));
  EXPECT_EQ(all_work(64, 4, 2 << 10), !is_oversubscribed());
}

// Messages of leaders that put are as many as there are nodes, and of large sums they go several times.
TEST_F(Machine, leaders_read_smaller_arrays_where_nodes_are_many) {
  EXPECT_EQ(choose_on(20, reductions, 512 << 10), "leaders_put");
  EXPECT_EQ(choose_on(21, reductions, 256 << 10), "leaders_put");
  EXPECT_EQ(choose_on(21, reductions, 512 << 10), "leaders_slices");
}

// Each leader passes on what it has while its neighbours copy.
TEST_F(Machine, large_blocks_of_an_fcollect_are_put) {
  EXPECT_EQ(choose_on(4, fcollects, 64 << 10), "leaders");
  EXPECT_EQ(choose_on(4, fcollects, 128 << 10), "leaders_put");
}

// A neighbour that copies what one leader has gathered waits until it has everything.
TEST_F(Machine, smaller_blocks_of_an_fcollect_are_put_where_neighbours_have_cpus) {
  EXPECT_EQ(choose_on(4, fcollects, 8 << 10, 2), "leaders");
  EXPECT_EQ(choose_on(4, fcollects, 16 << 10, 2), "leaders_put");
  detail::job_traits = costly_messages;
  EXPECT_EQ(choose_on(4, fcollects, 16 << 10, 2), "leaders");
  EXPECT_EQ(choose_on(4, fcollects, 32 << 10, 2), "leaders_put");
  detail::job_traits = oversubscribed;
  EXPECT_EQ(choose_on(4, fcollects, 64 << 10, 2), "leaders");
}

// Each round of Bruck's waits for a message: fewer of them do not pay for that on few nodes.
TEST_F(Machine, alltoall_on_many_nodes_sends_fewer_messages) {
  EXPECT_FALSE(rounds_take_less(12));
  EXPECT_TRUE(rounds_take_less(13));
}

// Where a message costs a CPU more than a round takes to wait for, as over TCP, fewer messages are better from fewer nodes on.
TEST_F(Machine, fewer_messages_are_sent_where_each_is_costly) {
  detail::job_traits = costly_messages;
  EXPECT_EQ(choose_on(2, alltoall_family, 8),
            "bruck");  // which passes on what takes fewer messages elsewhere
  EXPECT_EQ(choose_on(7, reductions, 64 << 10), "leaders_put");
  EXPECT_EQ(choose_on(8, reductions, 8 << 10), "leaders");
  EXPECT_EQ(choose_on(8, reductions, 64 << 10), "leaders_halving");
  EXPECT_EQ(choose_on(15, reductions, 256 << 10), "leaders_put");
  EXPECT_EQ(choose_on(16, reductions, 256 << 10), "leaders_halving");
}

// Of small blocks.
TEST_F(Machine, the_rounds_of_an_alltoall_take_fewer_messages_from_four_nodes_on) {
  detail::job_traits = costly_messages;
  EXPECT_FALSE(rounds_take_less(3));
  EXPECT_TRUE(rounds_take_less(4));
  EXPECT_TRUE(rounds_take_less(12));
}

// Each of them sends a message while the others send theirs.
TEST_F(Machine, several_leaders_of_a_node_pass_a_broadcast_on_where_messages_are_costly) {
  EXPECT_EQ(choose_on(5, broadcasts, 8, 4), "two_level");
  detail::job_traits = costly_messages;
  EXPECT_EQ(choose_on(5, broadcasts, 8, 4), "leaders_spread");
  EXPECT_EQ(choose_on(5, broadcasts, 64 << 10, 4), "leaders_spread");
  EXPECT_EQ(choose_on(5, broadcasts, 8, 1), "two_level");
  EXPECT_EQ(choose_on(2, broadcasts, 8, 4), "two_level");  // no round fewer
}

// Leaders that send their operands whole write as often as there are other nodes.
TEST_F(Machine, leaders_divide_smaller_arrays_where_nodes_are_more_than_two) {
  Team& team = team_;
  team.size = 3;
  team.spans_nodes = true;
  team.nodes = std::make_shared<TeamNodes>();
  team.nodes->place(Placement(0, {0, 0, 1}));
  EXPECT_STREQ(broadcasts.choose(team, 1 << 20).name, "two_level");
  EXPECT_STREQ(reductions.choose(team, 12 << 10).name, "leaders");
  team.nodes->place(one_on_each_of(3));
  team.choices[static_cast<int>(CollectiveFamily::reduce)] = {};
  EXPECT_STREQ(reductions.choose(team, 8 << 10).name, "leaders");
  EXPECT_STREQ(reductions.choose(team, 12 << 10).name, "leaders_put");
  EXPECT_STREQ(reductions.choose(team, 512 << 10).name, "leaders_put");
  EXPECT_STREQ(reductions.choose(team, 1 << 20).name, "leaders_slices");
  team.choices[static_cast<int>(CollectiveFamily::broadcast)] = {};
  EXPECT_STREQ(broadcasts.choose(team, 64 << 10).name, "two_level");
  EXPECT_STREQ(broadcasts.choose(team, 1 << 20).name, "leaders");
  team.nodes.reset();
}

}  // namespace
}  // namespace atrium
