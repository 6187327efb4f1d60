// What teams must do: splits of every kind, their numbering, their failures, their end.
// SPDX-License-Identifier: BSD-3-Clause
#include "team/team.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include "team/block.hpp"
#include "team/draft.hpp"
#include "test_job.hpp"

namespace atrium {
namespace {

shmem_team_t split(shmem_team_t parent, int start, int stride, int size) {
  shmem_team_t team = SHMEM_TEAM_INVALID;
  team_split_strided(parent, start, stride, size, nullptr, 0, &team);
  return team;
}

// Do the members agree who they are? Each reads the others' world numbers through the team.
void check_members(TestPe& pe, Team& team, long* scratch) {
  *scratch = pe.me;
  sync(team);
  for (int member = 0; member < team.size; ++member) {
    pe.expect(*team.there(scratch, member) == team.world_pe(member), "a member is not who it should be");
  }
  sync(team);
}

TEST(Teams, world_and_shared_number_everybody) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      long* scratch = pe.allocate<long>(1);
      for (Team* team : {&world_team, &shared_team}) {
        pe.expect(team_my_pe(team) == pe.me && team_n_pes(team) == size, "wrong numbers");
        check_members(pe, *team, scratch);
      }
    });
  }
}

// Block, round robin, a list without a stride, nodes of unequal size.
const std::vector<std::vector<int>> placements{
    {0, 0, 0, 1, 1, 1}, {0, 1, 2, 0, 1, 2}, {0, 0, 1, 0, 1, 1, 0}, {1, 0, 0, 0, 1}, {0, 1}};

TEST(Teams, shared_has_the_pes_of_my_node) {
  for (const std::vector<int>& nodes : placements) {
    TestJob(nodes).run([&](TestPe& pe) {
      long* scratch = pe.allocate<long>(1);
      const auto here = placement.pes_here();
      pe.expect(team_n_pes(&world_team) == pe.size && team_my_pe(&world_team) == pe.me, "wrong world");
      pe.expect(team_n_pes(&shared_team) == placement.places(), "wrong number of PEs here");
      for (int other = 0; other < pe.size; ++other) {
        const auto found = std::find(here.begin(), here.end(), other);
        const int expected = found == here.end() ? -1 : static_cast<int>(std::distance(here.begin(), found));
        pe.expect(team_translate_pe(&world_team, other, &shared_team) == expected, "wrong translation");
      }
      check_members(pe, shared_team, scratch);
    });
  }
}

TEST(Teams, splits_of_shared_keep_their_members) {
  for (const std::vector<int>& nodes : placements) {
    TestJob(nodes).run([&](TestPe& pe) {
      long* scratch = pe.allocate<long>(1);
      const int size = team_n_pes(&shared_team);
      shmem_team_t reversed = split(&shared_team, size - 1, -1, size);
      pe.expect(team_my_pe(reversed) == size - 1 - placement.place(), "not reversed");
      check_members(pe, *reversed, scratch);
      shmem_team_t every_other = split(&shared_team, 0, 2, (size + 1) / 2);
      if (every_other != SHMEM_TEAM_INVALID) check_members(pe, *every_other, scratch);
      team_destroy(every_other);
      team_destroy(reversed);
    });
  }
}

TEST(Teams, strided_splits_take_every_legal_triplet) {
  TestJob(7).run([&](TestPe& pe) {
    long* scratch = pe.allocate<long>(1);
    for (int start = 0; start < 7; ++start) {
      for (int stride = -6; stride <= 6; ++stride) {
        for (int size = 1; size <= 7; ++size) {
          const int last = start + (size - 1) * stride;
          const bool legal = last >= 0 && last < 7 && (stride != 0 || size == 1);
          shmem_team_t team = SHMEM_TEAM_INVALID;
          const int status = team_split_strided(&world_team, start, stride, size, nullptr, 0, &team);
          pe.expect((status == 0) == legal, "wrong answer to a triplet");
          if (team == SHMEM_TEAM_INVALID) continue;
          pe.expect(start + team_my_pe(team) * stride == pe.me, "wrong number in the team");
          check_members(pe, *team, scratch);
          team_destroy(team);
        }
      }
    }
  });
}

TEST(Teams, a_negative_stride_reverses_the_order) {
  TestJob(4).run([&](TestPe& pe) {
    shmem_team_t reversed = split(&world_team, 3, -1, 4);
    pe.expect(team_my_pe(reversed) == 3 - pe.me, "not reversed");
    shmem_team_t back = split(reversed, 3, -1, 4);
    pe.expect(team_my_pe(back) == pe.me, "not reversed twice");
    long* scratch = pe.allocate<long>(1);
    check_members(pe, *back, scratch);
  });
}

TEST(Teams, rows_and_columns_of_a_plane_with_a_short_last_row) {
  for (int size : {1, 2, 3, 4, 7, 16}) {
    TestJob(size).run([&](TestPe& pe) {
      long* scratch = pe.allocate<long>(1);
      for (int width = 1; width <= size + 2; ++width) {
        shmem_team_t row, column;
        const int status = team_split_2d(&world_team, width, nullptr, 0, &row, nullptr, 0, &column);
        const int clamped = std::min(width, size);
        pe.expect(status == 0, "the split failed");
        pe.expect(team_my_pe(row) == pe.me % clamped && team_my_pe(column) == pe.me / clamped,
                  "wrong numbers");
        check_members(pe, *row, scratch);
        check_members(pe, *column, scratch);
        team_destroy(row);
        team_destroy(column);
      }
    });
  }
}

TEST(Teams, nest_to_any_depth) {
  TestJob(16).run([&](TestPe& pe) {
    long* scratch = pe.allocate<long>(1);
    shmem_team_t team = &world_team;
    while (team != SHMEM_TEAM_INVALID && team_n_pes(team) > 1) {
      const int half = team_n_pes(team) / 2;
      shmem_team_t even = split(team, 0, 2, half);
      shmem_team_t odd = split(team, 1, 2, half);
      team = even != SHMEM_TEAM_INVALID ? even : odd;
      check_members(pe, *team, scratch);
    }
  });
}

TEST(Teams, hundreds_live_and_thousands_come_and_go) {
  TestJob(4).run([&](TestPe& pe) {
    long* scratch = pe.allocate<long>(1);
    std::vector<shmem_team_t> living;
    for (int i = 0; i < 300; ++i) living.push_back(split(&world_team, 0, 1, 2 + i % 3));
    for (int i = 0; i < 2000; ++i) team_destroy(split(&world_team, i % 2, 1, 3));
    for (shmem_team_t team : living) {
      if (team != SHMEM_TEAM_INVALID) check_members(pe, *team, scratch);
    }
  });
}

TEST(Teams, a_failure_on_one_member_is_a_failure_on_all) {
  TestJob(3).run([&](TestPe& pe) {
    std::vector<void*> hoard;
    if (pe.me == 2) {
      while (void* block = allocate_system(block_bytes(3))) hoard.push_back(block);
    }
    shmem_team_t one = &world_team, row = &world_team, column = &world_team;
    pe.expect(team_split_strided(&world_team, 1, 1, 2, nullptr, 0, &one) != 0, "the strided split succeeded");
    pe.expect(team_split_2d(&world_team, 2, nullptr, 0, &row, nullptr, 0, &column) != 0,
              "the 2d split succeeded");
    pe.expect(!one && !row && !column, "a handle is valid");
    for (void* block : hoard) free_system(block);
    sync(world_team);
    pe.expect(split(&world_team, 0, 1, 3) != SHMEM_TEAM_INVALID, "no recovery");
  });
}

TEST(Teams, non_members_get_an_invalid_handle_and_success) {
  TestJob(3).run([&](TestPe& pe) {
    shmem_team_t team = &world_team;
    pe.expect(team_split_strided(&world_team, 1, 1, 1, nullptr, 0, &team) == 0, "failed");
    pe.expect((team == SHMEM_TEAM_INVALID) == (pe.me != 1), "wrong handle");
  });
}

TEST(Teams, the_invalid_team_is_answered_as_the_specification_says) {
  shmem_team_t team = &world_team, other = &world_team;
  shmem_team_config_t config{};
  EXPECT_EQ(team_my_pe(SHMEM_TEAM_INVALID), -1);
  EXPECT_EQ(team_n_pes(SHMEM_TEAM_INVALID), -1);
  EXPECT_NE(team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &config), 0);
  EXPECT_EQ(team_translate_pe(SHMEM_TEAM_INVALID, 0, &world_team), -1);
  EXPECT_EQ(team_translate_pe(&world_team, 0, SHMEM_TEAM_INVALID), -1);
  EXPECT_NE(team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, nullptr, 0, &team), 0);
  EXPECT_EQ(team, SHMEM_TEAM_INVALID);
  EXPECT_NE(team_split_2d(SHMEM_TEAM_INVALID, 1, nullptr, 0, &team, nullptr, 0, &other), 0);
  EXPECT_EQ(other, SHMEM_TEAM_INVALID);
  team_destroy(SHMEM_TEAM_INVALID);
}

TEST(Teams, numbers_translate_between_teams) {
  TestJob(7).run([&](TestPe& pe) {
    shmem_team_t odd = split(&world_team, 1, 2, 3);
    if (pe.me % 2 == 0) return;
    pe.expect(team_translate_pe(odd, 2, &world_team) == 5, "2 of the odd ones is PE 5");
    pe.expect(team_translate_pe(&world_team, 3, odd) == 1, "PE 3 is 1 of the odd ones");
    pe.expect(team_translate_pe(&world_team, 4, odd) == -1, "PE 4 is not odd");
    pe.expect(team_translate_pe(&world_team, 7, odd) == -1 && team_translate_pe(odd, -1, &world_team) == -1,
              "range");
  });
}

TEST(Teams, the_configuration_is_what_the_mask_selects) {
  TestJob(2).run([&](TestPe& pe) {
    shmem_team_config_t asked{5}, found{-1};
    shmem_team_t with, without;
    team_split_strided(&world_team, 0, 1, 2, &asked, SHMEM_TEAM_NUM_CONTEXTS, &with);
    team_split_strided(&world_team, 0, 1, 2, &asked, 0, &without);
    pe.expect(team_get_config(with, 0, nullptr) == 0, "mask 0 needs no configuration");
    team_get_config(with, SHMEM_TEAM_NUM_CONTEXTS, &found);
    pe.expect(found.num_contexts == 5, "asked for 5");
    team_get_config(without, SHMEM_TEAM_NUM_CONTEXTS, &found);
    pe.expect(found.num_contexts == 0, "asked for nothing");
  });
}

TEST(Teams, deltas_outside_a_team_are_away) {
  TestJob(4).run([&](TestPe& pe) {
    shmem_team_t team = split(&world_team, 0, 1, 4);
    for (int pe_number : {-64, -1, 4, 67}) pe.expect(team->delta[pe_number] == ATRIUM_AWAY, "no guard");
    pe.expect(team->delta[pe.me] == 0 && team->inline_delta == team->delta, "wrong table");
  });
}

TEST(Teams, a_closed_inline_path_is_inherited) {
  static ptrdiff_t closed[64];
  for (ptrdiff_t& entry : closed) entry = ATRIUM_AWAY;
  TestJob(2).run([&](TestPe& pe) {
    world_team.inline_delta = closed;
    shmem_team_t team = split(&world_team, 0, 1, 2);
    shmem_team_t child = split(team, 1, -1, 2);
    pe.expect(child->inline_delta == closed && child->delta[1 - pe.me] == 0, "an open inline path");
  });
}

// Members that are released late from the last collective still read the others' blocks.
TEST(Teams, a_team_goes_only_when_all_have_finished_with_it) {
  constexpr size_t n = 200;
  TestJob(7).run([&](TestPe& pe) {
    auto* data = pe.allocate<long>(2 * n);
    for (long round = 0; round < 100; ++round) {
      shmem_team_t team = split(&world_team, 0, 1, 7);
      std::fill_n(data, n, round);
      reduce<Op::sum>(*team, data + n, data, n);
      team_destroy(team);
      void* recycled = allocate_system(block_bytes(7));
      std::memset(recycled, 0xff, block_bytes(7));
      for (size_t i = 0; i < n; ++i) pe.expect(data[n + i] == 7 * round, "a block was freed too early");
      free_system(recycled);
    }
  });
}

// In the child processes of the jobs, so that it counts there.
int farewells = 0;

TEST(Teams, every_team_tells_of_its_end_once_also_those_left_at_the_end) {
  TestJob(2).run([&](TestPe& pe) {
    on_team_destroy([](Team&) { ++farewells; });
    team_destroy(split(&world_team, 0, 1, 2));
    pe.expect(farewells == 1, "destroyed one");
    split(&world_team, 0, 1, 2);
    active_set(0, 0, 2);
    sync(world_team);
    destroy_world_teams();
    pe.expect(farewells == 5, "one, one left, an active set, world and shared");
  });
}

TEST(ActiveSets, are_made_by_their_members_alone) {
  TestJob(7).run([&](TestPe& pe) {
    long* scratch = pe.allocate<long>(1);
    if (pe.me >= 1 && pe.me <= 5 && pe.me % 2 == 1) {
      Team& odd = active_set(1, 1, 3);
      check_members(pe, odd, scratch);
      pe.expect(&active_set(1, 1, 3) == &odd, "made twice");
    }
    if (pe.me >= 4) check_members(pe, active_set(4, 0, 3), scratch);
    check_members(pe, active_set(0, 0, 7), scratch);
  });
}

TEST(ActiveSets, there_may_be_many) {
  TestJob(16).run([&](TestPe& pe) {
    long* scratch = pe.allocate<long>(1);
    for (int start = 0; start < 16; ++start) {
      for (int size = 1; start + size <= 16; ++size) {
        if (pe.me >= start && pe.me < start + size) check_members(pe, active_set(start, 0, size), scratch);
      }
    }
  });
}

// Not to destroy teams, of which it has none.
TEST(ActiveSets, a_program_with_too_many_is_told_what_helps_it) {
  TestJob(2).run([&](TestPe& pe) {
    active_set(0, 0, 2);
    for (const size_t bytes : {size_t{1} << 20, block_bytes(2)}) {
      while (allocate_system(bytes)) continue;
    }
    const Draft draft(world_team, {0, 1, 2}, {});
    pe.expect(!draft.accepted(), "there was room for another one");
    const Error refusal = draft.refusal("another one");
    pe.expect(refusal.because.ends_with("the program has 0 teams and 1 active set"), refusal.because);
    pe.expect(refusal.remedy.starts_with("fewer different active sets"), refusal.remedy);
  });
}

TEST(Teams, threads_use_different_teams_at_once) {
  constexpr int threads = 3;
  TestJob(3).run([&](TestPe& pe) {
    long* scratch = pe.allocate<long>(1);
    long* data = pe.allocate<long>(threads * 16 * 2);
    std::vector<std::thread> workers;
    std::vector<shmem_team_t> teams;
    for (int i = 0; i < threads; ++i) teams.push_back(split(&world_team, 0, 1, 3));
    std::atomic<int> wrong = 0;
    for (int i = 0; i < threads; ++i) {
      workers.emplace_back([&, i] {
        for (long round = 0; round < 300; ++round) {
          long* dest = data + (i * 2 + round % 2) * 16;
          dest[8] = round;
          reduce<Op::sum>(*teams[static_cast<size_t>(i)], dest, dest + 8, 1);
          wrong += dest[0] != 3 * round;
          shmem_team_t child = split(teams[static_cast<size_t>(i)], 0, 1, 2);
          team_destroy(child);
        }
      });
    }
    for (std::thread& worker : workers) worker.join();
    pe.expect(wrong == 0, "a thread got a wrong sum");
    check_members(pe, world_team, scratch);
  });
}

}  // namespace
}  // namespace atrium
