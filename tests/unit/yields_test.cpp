// What the kernel's counters of a real CPU do to the stages of waits.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/yields.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "os/thread_switches.hpp"
#include "topology/cpus.hpp"
#include "wait/policy.hpp"

namespace atrium {
namespace {

void stay_on_one_cpu() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(allowed_cpus().front(), &one);
  sched_setaffinity(0, sizeof one, &one);
}

// On a thread of its own, which has a watch of its own: spins_now() after so many waits.
uint32_t spins_after(int waits) {
  uint32_t spins = 0;
  std::thread([&] {
    stay_on_one_cpu();
    for (int i = 0; i < waits && spins_now() == wait_policy().spins; ++i) {
      Yields yields;
      for (int yield = 0; yield < 8; ++yield) yields.yield();
    }
    spins = spins_now();
  }).join();
  return spins;
}

class YieldsOfAWait : public testing::Test {
 protected:
  YieldsOfAWait() { detail::chosen_policy = choose_wait_policy(WaitMode::automatic, 2, 2, false); }
  ~YieldsOfAWait() override {
    detail::chosen_policy = before_;
    detail::most_spins = detail::most_yields = UINT32_MAX;
  }

 private:
  const WaitPolicy before_ = wait_policy();
};

TEST_F(YieldsOfAWait, to_a_thread_that_waits_on_the_same_cpu_make_waits_yield_early) {
  std::atomic<bool> over{false};
  uint64_t handed_over = 0;
  std::thread neighbour([&] {
    stay_on_one_cpu();
    while (!over) sched_yield();
    handed_over = involuntary_switches();
  });
  const uint32_t spins = spins_after(100'000);
  over = true;
  neighbour.join();
  if (handed_over == 0) GTEST_SKIP() << "this kernel counts no switches";
  EXPECT_LT(spins, wait_policy().spins);
  EXPECT_GT(spins, 0u);
}

TEST_F(YieldsOfAWait, to_a_thread_that_computes_are_no_more_until_its_time_is_over) {
  std::atomic<bool> over{false};
  std::thread neighbour([&] {
    stay_on_one_cpu();
    while (!over) {
    }
  });
  uint32_t beside = UINT32_MAX, alone = 0;
  std::thread([&] {
    stay_on_one_cpu();
    for (int wait = 0; wait < 20 && yields_now() != 0; ++wait) Yields().yield();
    beside = yields_now();
    over = true;
    neighbour.join();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    Yields().pause();
    alone = yields_now();
  }).join();
  if (beside != 0) GTEST_SKIP() << "this kernel counts no switches, or gives no slices for yields";
  EXPECT_EQ(alone, wait_policy().yields);
}

TEST_F(YieldsOfAWait, change_nothing_where_the_policy_was_asked_for) {
  detail::chosen_policy = choose_wait_policy(WaitMode::spin, 2, 2, false);
  std::atomic<bool> over{false};
  std::thread neighbour([&] {
    stay_on_one_cpu();
    while (!over) sched_yield();
  });
  EXPECT_EQ(spins_after(100), wait_policy().spins);
  over = true;
  neighbour.join();
}

}  // namespace
}  // namespace atrium
