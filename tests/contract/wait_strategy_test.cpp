// What every way of waiting must do, run on each of them.
// SPDX-License-Identifier: BSD-3-Clause
#include <thread>

#include "../shared_parts.hpp"
#include "wait/wait.hpp"

namespace atrium {
namespace {

struct Strategy {
  const char* name;
  WaitMode mode;
  int pes;
  int cpus;
};
std::ostream& operator<<(std::ostream& out, const Strategy& strategy) { return out << strategy.name; }

using Flag = std::atomic<uint64_t>;

bool reached(const Flag& flag, uint64_t value) { return flag.load(std::memory_order_acquire) >= value; }

class WaitStrategy : public testing::TestWithParam<Strategy> {
 protected:
  void SetUp() override {
    const Strategy& strategy = GetParam();
    detail::chosen_policy = choose_wait_policy(strategy.mode, strategy.pes, strategy.cpus, false);
  }
  void TearDown() override {
    detail::chosen_policy = WaitPolicy{};
    my_park_slot = nullptr;
  }
};

INSTANTIATE_TEST_SUITE_P(ordering, WaitStrategy,
                         testing::Values(Strategy{"spin", WaitMode::spin, 2, 2},
                                         Strategy{"yield", WaitMode::yield, 2, 2},
                                         Strategy{"block", WaitMode::block, 2, 2},
                                         Strategy{"dedicated", WaitMode::automatic, 2, 2},
                                         Strategy{"oversubscribed", WaitMode::automatic, 8, 2}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(WaitStrategy, a_condition_that_holds_already_returns_at_once) {
  int looks = 0;
  wait_for([&] { return ++looks == 1; });
  EXPECT_EQ(looks, 1);
}

TEST_P(WaitStrategy, a_condition_is_not_asked_again_after_it_held) {
  int looks = 0;
  wait_for([&] { return ++looks == 60; });
  EXPECT_EQ(looks, 60);
}

TEST_P(WaitStrategy, two_processes_play_ping_pong) {
  SharedParts parts(2);
  parts.run([&](int me, const ptrdiff_t* delta) {
    for (uint64_t round = 1; round <= 2000; ++round) {
      Flag& mine = parts.at<Flag>(me, 0);
      if (me == 1) wait_for([&] { return reached(mine, round); });
      parts.at<Flag>(1 - me, 0).store(round, std::memory_order_release);
      notify(delta[1 - me], &mine, sizeof mine);
      if (me == 0) wait_for([&] { return reached(mine, round); });
    }
    return true;
  });
}

TEST_P(WaitStrategy, six_processes_pass_a_token_round) {
  constexpr int pes = 6;
  SharedParts parts(pes);
  parts.run([&](int me, const ptrdiff_t* delta) {
    const int next = (me + 1) % pes;
    Flag& mine = parts.at<Flag>(me, 0);
    for (uint64_t round = 1; round <= 20; ++round) {
      if (me != 0) wait_for([&] { return reached(mine, round); });
      parts.at<Flag>(next, 0).store(round, std::memory_order_release);
      notify(delta[next]);
      if (me == 0) wait_for([&] { return reached(mine, round); });
    }
    return true;
  });
}

TEST_P(WaitStrategy, what_was_stored_before_the_flag_is_seen_behind_the_wait) {
  SharedParts parts(2);
  parts.run([&](int me, const ptrdiff_t* delta) {
    bool good = true;
    for (uint64_t round = 1; round <= 2000; ++round) {
      uint64_t* data = &parts.at<uint64_t>(me, 4096);
      Flag& flag = parts.at<Flag>(me, 0);
      if (me == 0) {
        uint64_t* there = &parts.at<uint64_t>(1, 4096);
        for (int i = 0; i < 16; ++i) there[i * 64] = round;
        parts.at<Flag>(1, 0).store(round, std::memory_order_release);
        notify(delta[1], &flag, sizeof flag);
        wait_for([&] { return reached(flag, round); });
      } else {
        wait_for([&] { return reached(flag, round); });
        for (int i = 0; i < 16; ++i) good = good && data[i * 64] == round;
        parts.at<Flag>(0, 0).store(round, std::memory_order_release);
        notify(delta[0], &flag, sizeof flag);
      }
    }
    return good;
  });
}

TEST_P(WaitStrategy, a_long_wait_ends_with_an_announced_store) {
  SharedParts parts(2);
  parts.run([&](int me, const ptrdiff_t* delta) {
    Flag& mine = parts.at<Flag>(me, 0);
    if (me == 1) {
      const WaitReason reason{WaitKind::value, &mine, sizeof mine, 1, ">="};
      wait_for(reason, [&] { return reached(mine, 1); });
      return true;
    }
    usleep(20'000);
    parts.at<Flag>(1, 0).store(1, std::memory_order_release);
    notify(delta[1], &mine, sizeof mine);
    return true;
  });
}

TEST_P(WaitStrategy, a_long_wait_ends_with_a_store_nobody_announced) {
  SharedParts parts(2);
  parts.run([&](int me, const ptrdiff_t*) {
    Flag& mine = parts.at<Flag>(me, 0);
    if (me == 1) {
      wait_for(WaitReason{WaitKind::value, &mine, sizeof mine}, [&] { return reached(mine, 1); });
      return true;
    }
    usleep(20'000);
    parts.at<Flag>(1, 0).store(1, std::memory_order_release);
    return true;
  });
}

TEST_P(WaitStrategy, threads_of_one_process_wait_for_different_flags) {
  SharedParts parts(2);
  parts.run([&](int me, const ptrdiff_t* delta) {
    constexpr int threads = 3;
    std::vector<std::thread> crew;
    for (int k = 0; k < threads; ++k)
      crew.emplace_back([&, k] {
        Flag& mine = parts.at<Flag>(me, 128 * k);
        const WaitReason reason{WaitKind::value, &mine, sizeof mine};
        for (uint64_t round = 1; round <= 100; ++round) {
          if (me == 1) wait_for(reason, [&] { return reached(mine, round); });
          parts.at<Flag>(1 - me, 128 * k).store(round, std::memory_order_release);
          notify(delta[1 - me], &mine, sizeof mine);
          if (me == 0) wait_for(reason, [&] { return reached(mine, round); });
        }
      });
    for (std::thread& thread : crew) thread.join();
    return parts.slot(me)->sleepers == 0;
  });
}

// Naps of an hour: a wake-up that is lost hangs the test until its watchdog ends it.
class WakeUp : public testing::Test {
 protected:
  void SetUp() override {
    WaitPolicy policy = choose_wait_policy(WaitMode::block, 2, 1, false);
    policy.first_nap_us = policy.last_nap_us = 3'600'000'000;
    detail::chosen_policy = policy;
  }
  void TearDown() override {
    detail::chosen_policy = WaitPolicy{};
    my_park_slot = nullptr;
  }
};

TEST_F(WakeUp, none_is_lost_between_two_processes) {
  SharedParts parts(2);
  parts.run([&](int me, const ptrdiff_t* delta) {
    Flag& mine = parts.at<Flag>(me, 0);
    const WaitReason reason{WaitKind::value, &mine, sizeof mine};
    for (uint64_t round = 1; round <= 10000; ++round) {
      if (me == 1) wait_for(reason, [&] { return reached(mine, round); });
      parts.at<Flag>(1 - me, 0).store(round, std::memory_order_release);
      notify(delta[1 - me], &mine, sizeof mine);
      if (me == 0) wait_for(reason, [&] { return reached(mine, round); });
    }
    return true;
  });
}

TEST_F(WakeUp, none_is_lost_while_stores_elsewhere_come_and_go) {
  SharedParts parts(3);
  parts.run([&](int me, const ptrdiff_t* delta) {
    Flag& mine = parts.at<Flag>(me, 0);
    Flag& noise = parts.at<Flag>(me, 4096);
    Flag& over = parts.at<Flag>(2, 8192);
    const WaitReason reason{WaitKind::value, &mine, sizeof mine};
    if (me == 2) {
      while (over.load() == 0)
        for (int pe : {0, 1}) {
          parts.at<Flag>(pe, 4096).store(1, std::memory_order_relaxed);
          notify(delta[pe], &noise, sizeof noise);
        }
      return true;
    }
    for (uint64_t round = 1; round <= 3000; ++round) {
      if (me == 1) wait_for(reason, [&] { return reached(mine, round); });
      parts.at<Flag>(1 - me, 0).store(round, std::memory_order_release);
      notify(delta[1 - me], &mine, sizeof mine);
      if (me == 0) wait_for(reason, [&] { return reached(mine, round); });
    }
    over.store(1);
    return true;
  });
}

TEST_F(WakeUp, none_is_lost_when_threads_of_a_pe_sleep_at_one_spot) {
  SharedParts parts(2);
  parts.run([&](int me, const ptrdiff_t* delta) {
    std::vector<std::thread> crew;
    for (int k = 0; k < 4; ++k)
      crew.emplace_back([&, k] {
        Flag& mine = parts.at<Flag>(me, 128 * k);
        const WaitReason reason{WaitKind::value, &mine, sizeof mine};
        for (uint64_t round = 1; round <= 1000; ++round) {
          if (me == 1) wait_for(reason, [&] { return reached(mine, round); });
          parts.at<Flag>(1 - me, 128 * k).store(round, std::memory_order_release);
          notify(delta[1 - me], &mine, sizeof mine);
          if (me == 0) wait_for(reason, [&] { return reached(mine, round); });
        }
      });
    for (std::thread& thread : crew) thread.join();
    return parts.slot(me)->sleepers == 0;
  });
}

TEST_P(WaitStrategy, waiting_before_the_job_has_memory_works) {
  my_park_slot = nullptr;
  Flag flag{0};
  std::thread writer([&] {
    usleep(5'000);
    flag.store(1, std::memory_order_release);
    notify(0);
  });
  wait_for([&] { return reached(flag, 1); });
  writer.join();
}

}  // namespace
}  // namespace atrium
