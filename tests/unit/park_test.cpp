// Who is woken, who is spared, and what a report says about a sleeper.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/park.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "wait/wait.hpp"

namespace atrium {
namespace {

class Park : public testing::Test {
 protected:
  void SetUp() override {
    detail::chosen_policy = choose_wait_policy(WaitMode::block, 2, 1, false);
    my_park_slot = &memory.slot;
  }
  void TearDown() override {
    detail::chosen_policy = WaitPolicy{};
    my_park_slot = nullptr;
  }
  void await_sleepers(uint32_t count) {
    while (memory.slot.sleepers != count) usleep(100);
  }
  static bool never(void*) { return false; }

  struct {
    ParkSlot slot{};
    uint64_t words[8]{};
  } memory;
};

TEST_F(Park, nobody_is_woken_when_nobody_sleeps) {
  notify(0);
  EXPECT_EQ(memory.slot.wakes, 0u);
}

TEST_F(Park, a_ready_condition_keeps_the_thread_awake) {
  EXPECT_TRUE(nap(
      WaitReason{}, [](void*) { return true; }, nullptr, 1'000'000'000));
  EXPECT_EQ(memory.slot.sleepers, 0u);
}

TEST_F(Park, a_store_to_other_bytes_spares_the_sleeper) {
  std::thread sleeper([&] {
    nap(WaitReason{WaitKind::value, &memory.words[1], 8}, never, nullptr, 1'000'000'000);
  });
  await_sleepers(1);
  notify(0, &memory.words[0], 8);
  notify(0, &memory.words[2], 48);
  EXPECT_EQ(memory.slot.wakes, 0u);
  notify(0, memory.words, 9);
  EXPECT_EQ(memory.slot.wakes, 1u);
  sleeper.join();
}

TEST_F(Park, a_store_of_unknown_bytes_wakes_the_sleeper) {
  std::thread sleeper([&] {
    nap(WaitReason{WaitKind::value, &memory.words[1], 8}, never, nullptr, 1'000'000'000);
  });
  await_sleepers(1);
  notify(0);
  sleeper.join();
  EXPECT_EQ(memory.slot.wakes, 1u);
}

TEST_F(Park, a_second_sleeper_makes_every_store_count) {
  std::thread first([&] {
    nap(WaitReason{WaitKind::value, &memory.words[1], 8}, never, nullptr, 1'000'000'000);
  });
  await_sleepers(1);
  std::thread second([&] {
    nap(WaitReason{WaitKind::value, &memory.words[2], 8}, never, nullptr, 1'000'000'000);
  });
  await_sleepers(2);
  notify(0, &memory.words[2], 8);
  first.join();
  second.join();
  EXPECT_EQ(memory.slot.wakes, 1u);
}

TEST_F(Park, words_are_described_to_people_only_where_they_are_theirs) {
  char at[64];
  std::snprintf(at, sizeof at, "%p", static_cast<void*>(&memory.words[1]));
  EXPECT_EQ(describe_words({WaitKind::value, &memory.words[1], 8, 42, ">="}),
            ", the word at " + std::string(at) + " to be >= 42");
  EXPECT_EQ(describe_words({WaitKind::signal, &memory.words[1]}), ", words from " + std::string(at) + " on");
  EXPECT_EQ(describe_words({WaitKind::barrier, &memory.words[1], 8, 42, ">="}), "");
}

TEST_F(Park, a_long_wait_says_what_for_when_asked_to) {
  detail::chosen_policy.note_after_s = 1;
  const auto begin = std::chrono::steady_clock::now();
  testing::internal::CaptureStderr();
  wait_for(WaitReason{WaitKind::value, &memory.words[1], 8, 42, ">="},
           [&] { return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(1300); });
  EXPECT_NE(testing::internal::GetCapturedStderr().find("has waited 1 s for a value, the word at"),
            std::string::npos);
}

}  // namespace
}  // namespace atrium
