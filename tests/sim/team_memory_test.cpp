// What a team that spans nodes takes of each member's own memory, and that its members find each other's blocks all the same.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "arena/arena.hpp"
#include "core/log.hpp"
#include "sim/own_process.hpp"
#include "sim/world.hpp"
#include "team/block_offsets.hpp"
#include "team/member_barrier.hpp"
#include "team/nodes.hpp"
#include "team/world.hpp"

namespace atrium::sim {
namespace {

shmem_team_t split(shmem_team_t parent, int start, int stride, int size) {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  if (team_split_strided(parent, start, stride, size, nullptr, 0, &team) != 0) std::abort();
  return team;
}

// Nodes of `places` PEs each, dealt `run` at a time.
JobShape dealt(int nodes, int places, int run) {
  JobShape shape;
  for (int pe = 0; pe < nodes * places; ++pe) shape.nodes.push_back(pe / run % nodes);
  return shape;
}

// Each job in a process of its own, whose greatest count is the answer.
size_t run(const JobShape& shape, const std::function<size_t(Pe&)>& program) {
  auto answer = in_own_process("teams", [&] {
    size_t most = 0;
    auto ended =
        (new World(shape, Costs{}, Disturbances{}))->run([&](Pe& pe) { most = std::max(most, program(pe)); });
    if (!ended) fatal(ended.error());
    return std::to_string(most);
  });
  EXPECT_TRUE(answer);
  return answer ? std::stoul(*answer) : 0;
}

// Bytes of the tables that a member keeps of its team.
size_t bytes_of_tables(const Team& team) {
  size_t bytes = team.listed ? team.listed->size() * sizeof(int) : 0;
  bytes += team.shifts.size() * sizeof(ptrdiff_t);
  if (team.offsets) bytes += team.offsets->ranges().size() * sizeof(BlockRange);
  if (team.nodes) {
    bytes += team.nodes->members.words().size_bytes() + team.nodes->first.size() * sizeof(int);
    bytes += bytes_of_tables(team.nodes->node) + bytes_of_tables(team.nodes->leaders);
  }
  return bytes;
}

// Each member's flags are raised by others, at whatever offset its block lies: a wrong one is a standstill.
void meet_often(Team& team) {
  for (int i = 0; i < 3; ++i) member_barrier(team);
}

// Several generations of teams, of which each PE is in one: leaders' blocks are larger, so from the second on offsets differ. What a
// member has for each PE of its own node is in the constant.
TEST(Law, a_team_takes_memory_for_nodes_and_none_for_pes) {
  constexpr int nodes = 10, places = 64;
  for (const int dealt_at_once : {places, 1}) {
    const size_t most = run(dealt(nodes, places, dealt_at_once), [](Pe&) {
      const int all = world_team.size;
      Team* const parent = split(&world_team, 0, 1, all);
      size_t largest = 0;
      for (const int stride : {1, 2, 4, 3})
        for (int first = 0; first < stride; ++first) {
          Team* const team = split(parent, first, stride, (all - first + stride - 1) / stride);
          if (!team) continue;
          meet_often(*team);
          largest = std::max(largest, bytes_of_tables(*team));
        }
      return largest;
    });
    EXPECT_GT(most, 0u);
    EXPECT_LE(most, 1024 + size_t{256} * nodes) << dealt_at_once << " at a time";
  }
}

// Two PEs on each of two nodes. Of all that a member has for the team, the areas of leaders are the largest part.
size_t cost_of_small_team(int nodes, int places, bool of_leaders) {
  return run(dealt(nodes, places, places), [=](Pe&) -> size_t {
    Team* const team = split(&world_team, 0, places / 2, 4);
    if (!team) return 0;
    meet_often(*team);
    return team->nodes->leads() == of_leaders ? block_bytes_of(*team) + bytes_of_tables(*team) : 0;
  });
}
TEST(Law, a_small_team_costs_the_same_in_a_large_job_as_in_a_small_one) {
  for (const bool of_leaders : {false, true})
    EXPECT_EQ(cost_of_small_team(10, 64, of_leaders), cost_of_small_team(2, 4, of_leaders));
  EXPECT_LE(cost_of_small_team(10, 64, false), size_t{32} << 10);
}

TEST(Law, an_active_set_takes_memory_for_nodes_and_none_for_pes) {
  constexpr int nodes = 10, places = 16;
  for (const int dealt_at_once : {places, 1}) {
    const size_t most = run(dealt(nodes, places, dealt_at_once), [](Pe& pe) -> size_t {
      split(&world_team, 0, 1, world_team.size);
      if (pe.number % 2 != 0) return 0;
      Team& set = active_set(0, 1, nodes * places / 2);
      meet_often(set);
      return bytes_of_tables(set);
    });
    EXPECT_GT(most, 0u);
    EXPECT_LE(most, 256 + size_t{100} * nodes) << dealt_at_once << " at a time";
  }
}

// Nine PEs of a node whose blocks lie at nine offsets: more ranges than an entry of a board holds.
TEST(Split, of_pes_that_have_allocated_differently_finds_every_block) {
  for (const int dealt_at_once : {9, 2}) {
    const size_t ranges = run(dealt(5, 9, dealt_at_once), [](Pe& pe) {
      for (int i = 0; i < (pe.place * 4 + pe.node) % 9; ++i) allocate_system(8192);
      Team& team = *split(&world_team, world_team.size - 1, -1, world_team.size);
      meet_often(team);
      for (const int parity : {0, 1}) {
        Team* const half = split(&team, parity, 2, (world_team.size + 1 - parity) / 2);
        if (half) meet_often(*half);
      }
      return team.offsets ? team.offsets->ranges().size() : 0;
    });
    EXPECT_GT(ranges, 5 * ranges_in_an_entry);
  }
}

// The leaders that meet to tell of them find each other's first.
TEST(ActiveSet, of_pes_that_have_allocated_differently_finds_every_block) {
  for (const int dealt_at_once : {9, 2}) {
    const size_t ranges = run(dealt(5, 9, dealt_at_once), [](Pe& pe) {
      for (int i = 0; i < (pe.place * 4 + pe.node) % 9; ++i) allocate_system(8192);
      size_t most = 0;
      for (const int log_stride : {0, 1, 2}) {
        const int stride = 1 << log_stride;
        if (pe.number % stride != 0) continue;
        Team& set = active_set(0, log_stride, (world_team.size + stride - 1) / stride);
        meet_often(set);
        meet_often(set.nodes->node);
        if (set.nodes->leads()) meet_often(set.nodes->leaders);
        if (set.offsets) most = std::max(most, set.offsets->ranges().size());
      }
      return most;
    });
    EXPECT_GT(ranges, 5 * ranges_in_an_entry);
  }
}

// Whoever refuses, at whatever place, all hear of the first one.
TEST(Split, that_one_member_of_many_nodes_refuses_fails_on_all) {
  int failed = 0, made = 0;
  const size_t counts = run(dealt(6, 3, 3), [&](Pe& pe) -> size_t {
    std::vector<void*> hoard;
    if (pe.number == 11)
      while (void* block = allocate_system(8192)) hoard.push_back(block);
    shmem_team_t team = SHMEM_TEAM_INVALID;
    failed += team_split_strided(&world_team, 0, 1, world_team.size, nullptr, 0, &team) != 0;
    for (void* block : hoard) free_system(block);
    made += team_split_strided(&world_team, 0, 1, world_team.size, nullptr, 0, &team) == 0;
    meet_often(*team);
    return static_cast<size_t>(100 * failed + made);
  });
  EXPECT_EQ(counts, 1818u);
}

}  // namespace
}  // namespace atrium::sim
