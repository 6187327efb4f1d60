// Threads asleep for longer than a test lasts: whoever should be called and is not hangs.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/sleepers.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <mutex>
#include <thread>

namespace atrium {
namespace {

constexpr int for_ever_ms = 1'000'000;

class SleepersTest : public testing::Test {
 protected:
  // A thread that sleeps until it is ready, on the descriptor if that is free, and then leaves.
  struct Thread {
    bool is_ready = false;
    int woken = 0;
    std::thread thread{};
  };
  void start(Thread& who) {
    const size_t before = asleep_;
    who.thread = std::thread([&] { run(who); });
    await([&] { return asleep_ > before; });
  }
  void run(Thread& who) {
    const std::lock_guard lock(lock_);
    Sleepers::Sleeper me{[](void* subject) { return static_cast<Thread*>(subject)->is_ready; }, &who};
    while (!who.is_ready) {
      ++asleep_;
      sleepers_.sleep(me, lock_, descriptor_, for_ever_ms);
      ++who.woken;
      sleepers_.call_ready();
    }
    sleepers_.call_successor();
  }
  template <class Condition>
  void await(Condition holds) {
    for (;;) {
      {
        const std::lock_guard lock(lock_);
        if (holds()) return;
      }
      ::sched_yield();
    }
  }
  // As another thread that looks and finds what that one waits for.
  void make_ready(Thread& who) {
    {
      const std::lock_guard lock(lock_);
      who.is_ready = true;
      sleepers_.call_ready();
    }
    who.thread.join();
  }
  void make_descriptor_readable() {
    const uint64_t one = 1;
    ASSERT_EQ(::write(descriptor_, &one, sizeof one), 8);
  }

  SleepersTest() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~SleepersTest() override { ::close(descriptor_); }

  Sleepers sleepers_;
  ProgressLock lock_;
  size_t asleep_ = 0;  // how often somebody has fallen asleep
  int descriptor_;
};

TEST_F(SleepersTest, who_sleeps_on_the_descriptor_is_called_when_another_one_has_taken_its_answer) {
  Thread one;
  start(one);
  make_ready(one);
  EXPECT_TRUE(sleepers_.is_empty());
}

TEST_F(SleepersTest, each_is_called_for_what_is_its_own_whichever_sleeps_on_the_descriptor) {
  for (const int first : {0, 1, 2}) {
    Thread threads[3];
    for (Thread& each : threads) start(each);
    make_ready(threads[first]);
    for (int i = 1; i < 3; ++i) {
      const Thread& other = threads[(first + i) % 3];
      const std::lock_guard lock(lock_);
      EXPECT_FALSE(other.is_ready);
      EXPECT_LE(other.woken, 1) << "at most to sleep on the descriptor";
    }
    make_ready(threads[(first + 1) % 3]);
    make_ready(threads[(first + 2) % 3]);
  }
}

// What it takes off the descriptor is another one's, then its own; and then it leaves.
TEST_F(SleepersTest, there_is_always_somebody_at_the_descriptor) {
  Thread first, second, third;
  for (Thread* each : {&first, &second, &third}) start(*each);
  make_ready(first);
  {
    const std::lock_guard lock(lock_);
    third.is_ready = true;
  }
  make_descriptor_readable();  // calls the second one, which finds that the third one is ready
  third.thread.join();
  {
    const std::lock_guard lock(lock_);
    second.is_ready = true;
  }
  second.thread.join();  // the descriptor is still readable
}

}  // namespace
}  // namespace atrium
