// What every barrier algorithm must do.
// SPDX-License-Identifier: BSD-3-Clause
#include "coll/barrier/barrier.hpp"

#include "test_job.hpp"

namespace atrium {
namespace {

using Counter = volatile long;

class Barrier : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(barriers.force(GetParam())); }
  void TearDown() override { ASSERT_TRUE(barriers.force("auto")); }

  // set_up_collectives of the job reads the settings again.
  void force_again() { (void)barriers.force(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(barrier, Barrier, testing::ValuesIn(names_of(barriers)), name_of_parameter);

void count_and_check(TestPe& pe, Counter* mine, long round) {
  *mine = round;
  sync(world_team);
  for (int peer = 0; peer < pe.size; ++peer) {
    pe.expect(*world_team.there(mine, peer) >= round,
              "left a sync before PE " + std::to_string(peer) + " had come");
  }
}

TEST_P(Barrier, nobody_leaves_before_everybody_has_come) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force_again();
      Counter* mine = pe.allocate<Counter>(1);
      for (long round = 1; round <= 500; ++round) count_and_check(pe, mine, round);
    });
  }
}

TEST_P(Barrier, one_late_member_holds_all) {
  for (int size : job_sizes) {
    TestJob(size).run([&](TestPe& pe) {
      force_again();
      Counter* mine = pe.allocate<Counter>(1);
      for (long round = 1; round <= 2L * pe.size; ++round) {
        if (round % pe.size == pe.me) usleep(2000);
        count_and_check(pe, mine, round);
      }
    });
  }
}

TEST_P(Barrier, a_team_may_be_destroyed_right_after_its_last_sync) {
  TestJob(4).run([&](TestPe&) {
    force_again();
    for (int round = 0; round < 100; ++round) {
      shmem_team_t team = SHMEM_TEAM_INVALID;
      team_split_strided(&world_team, 0, 1, 4, nullptr, 0, &team);
      sync(*team);
      sync(*team);
      team_destroy(team);
    }
  });
}

TEST_P(Barrier, algorithms_may_change_between_syncs) {
  TestJob(4).run([&](TestPe& pe) {
    Counter* mine = pe.allocate<Counter>(1);
    for (long round = 1; round <= 300; ++round) {
      const auto list = barriers.list();
      (void)barriers.force(list[static_cast<size_t>(round) % list.size()]->name);
      count_and_check(pe, mine, round);
    }
  });
}

}  // namespace
}  // namespace atrium
