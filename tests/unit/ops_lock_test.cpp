// Locks: one holder at a time, first come first served, free means zero.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "../small_job.hpp"
#include "ops/atomic.hpp"
#include "ops/get.hpp"
#include "ops/lock.hpp"
#include "ops/ordering.hpp"
#include "ops/put.hpp"
#include "ops/wait.hpp"

namespace atrium {
namespace {

class LockUnder : public testing::TestWithParam<int> {  // CPUs for four PEs
 protected:
  void SetUp() override {
    detail::chosen_policy = choose_wait_policy(WaitMode::automatic, 4, GetParam(), false);
  }
  void TearDown() override { detail::chosen_policy = WaitPolicy{}; }
};
INSTANTIATE_TEST_SUITE_P(policies, LockUnder, testing::Values(2, 4),
                         [](const auto& info) { return info.param == 4 ? "dedicated" : "oversubscribed"; });

// A counter that is only right if nobody else touches it between the get and the put.
void count_under_lock(long* lock, long* counter, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    set_lock(lock);
    p(default_context, counter, g(default_context, counter, 0) + 1, 0);
    clear_lock(lock);
  }
}

TEST_P(LockUnder, one_pe_at_a_time_is_inside) {
  SmallJob job(4);
  job.run([](const SmallJob& job) {
    long* counter = job.heap<long>(256);
    count_under_lock(job.heap<long>(0), counter, 300);
    atomic_inc(default_context, job.heap<long>(512), 0);
    if (job.me() != 0) return;
    wait_until(job.heap<long>(512), SHMEM_CMP_EQ, 4L);
    EXPECT_EQ(*counter, 4 * 300);
    for (int pe = 0; pe < 4; ++pe)
      EXPECT_EQ(g(default_context, job.heap<long>(0), pe), 0) << "a free lock is zero";
  });
}

TEST_P(LockUnder, locks_in_static_data_and_neighbouring_locks_are_independent) {
  SmallJob job(3);
  job.run([](const SmallJob& job) {
    for (size_t k = 0; k < 4; ++k) count_under_lock(job.globals<long>(0) + k, job.heap<long>(256) + k, 100);
    atomic_inc(default_context, job.heap<long>(512), 0);
    if (job.me() != 0) return;
    wait_until(job.heap<long>(512), SHMEM_CMP_EQ, 3L);
    for (size_t k = 0; k < 4; ++k) EXPECT_EQ(job.heap<long>(256)[k], 300);
  });
}

// The number of the last PE in the queue, from the layout drawn in ops/lock.hpp; -1 when the lock is free.
int last_in_queue(const SmallJob& job, long* lock) {
  uint32_t tail = 0;
  for (int pe = 0; pe < job.npes(); ++pe)
    tail |= atomic_fetch(default_context, reinterpret_cast<uint32_t*>(lock) + 1, pe);
  return static_cast<int>(tail) - 1;
}

// PE 0 takes the lock, and each other PE queues as soon as the one before it has. The order in which they get
// it is counted.
TEST_P(LockUnder, who_came_first_gets_it_first) {
  SmallJob job(4);
  job.run([](const SmallJob& job) {
    long* lock = job.heap<long>(0);
    if (job.me() > 0)
      while (last_in_queue(job, lock) != job.me() - 1) usleep(100);
    set_lock(lock);
    if (job.me() == 0)
      while (last_in_queue(job, lock) != 3) usleep(100);
    EXPECT_EQ(atomic_fetch_inc(default_context, job.heap<long>(256), 0), job.me());
    clear_lock(lock);
  });
}

TEST_P(LockUnder, test_lock_takes_a_free_lock_and_leaves_a_busy_one) {
  SmallJob job(2);
  job.run([](const SmallJob& job) {
    long* lock = job.heap<long>(0);
    long* stage = job.heap<long>(256);
    if (job.me() == 0) {
      EXPECT_EQ(test_lock(lock), 0);
      EXPECT_EQ(test_lock(lock), 1);
      atomic_set(default_context, stage, 1L, 1);
      wait_until(stage, SHMEM_CMP_EQ, 1L);
      clear_lock(lock);
      atomic_set(default_context, stage, 2L, 1);
    } else {
      wait_until(stage, SHMEM_CMP_EQ, 1L);
      EXPECT_EQ(test_lock(lock), 1);
      atomic_set(default_context, stage, 1L, 0);
      wait_until(stage, SHMEM_CMP_EQ, 2L);
      EXPECT_EQ(test_lock(lock), 0);
      clear_lock(lock);
    }
  });
}

TEST(Lock, homes_are_spread_over_the_pes) {
  SmallJob job(4);
  job.run([](const SmallJob& job) {
    if (job.me() != 0) return;
    int homes[4] = {};
    for (int k = 0; k < 64; ++k) {
      long* lock = job.heap<long>(0) + k;
      set_lock(lock);
      for (int pe = 0; pe < 4; ++pe) homes[pe] += g(default_context, lock, pe) != 0;
      clear_lock(lock);
    }
    for (int pe = 0; pe < 4; ++pe) EXPECT_GT(homes[pe], 4) << "PE " << pe;
  });
}

}  // namespace
}  // namespace atrium
