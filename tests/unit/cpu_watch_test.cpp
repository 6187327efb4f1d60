// What a thread finds out about its CPU, on a machine whose clock and counters are the test's.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/cpu_watch.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace atrium {
namespace {

using Cpu = CpuWatch::Cpu;
constexpr uint64_t us = 1000, ms = 1000 * us, second = 1000 * ms;

// A CPU with one thread that waits again and again, and whoever else is there.
class Machine {
 public:
  // Nobody; a thread that waits and gives the CPU back at once; one that computes, for a slice of the scheduler's.
  enum class Neighbour { none, waits, computes, both };
  Neighbour neighbour = Neighbour::none;
  uint64_t yields_per_service = 0;  // a thread of the kernel's runs for some microseconds, so often; 0: never

  // One wait, of so many yields; as src/wait/yields.cpp does it.
  void wait(uint32_t yields) {
    if (watch.cpu() == Cpu::mine) now_ += 80 * us;  // the looks before the first yield
    const bool watched = watch.wants_wait();
    if (watched) watch.begin({now_, switches_});
    uint32_t count = 0, slices = 0;
    const auto look = [&] {
      watch.look(std::exchange(count, 0), std::exchange(slices, 0), {now_, switches_});
    };
    for (uint32_t i = 0; i < yields; ++i) {
      const uint64_t began = now_;
      yield();
      if (!watched) continue;
      slices += now_ - began >= CpuWatch::slice_ns;
      if (watch.wants_look(++count)) look();
    }
    if (count > 0) look();
    now_ += 5 * us;  // the program
  }
  void waits(int times, uint32_t yields) {
    for (int i = 0; i < times; ++i) wait(yields);
  }
  uint64_t now() const { return now_; }
  void sleep(uint64_t ns) { now_ += ns; }

  CpuWatch watch;

 private:
  void yield() {
    now_ += 400;
    ++yields_;
    const bool serves = yields_per_service > 0 && yields_ % yields_per_service == 0;
    if (neighbour == Neighbour::none && !serves) return;
    ++switches_;
    const bool computes =
        neighbour == Neighbour::computes || (neighbour == Neighbour::both && yields_ % 2 == 0);
    now_ += computes ? 3 * ms : 4 * us;
  }

  uint64_t now_ = second, switches_ = 1000, yields_ = 0;
};

TEST(CpuWatch, the_owner_of_a_cpu_keeps_it_whatever_the_kernel_does_now_and_then) {
  Machine machine;
  machine.yields_per_service = 31;
  for (int i = 0; i < 10'000; ++i) {
    machine.wait(49);  // so that a service falls on every yield of some wait
    ASSERT_EQ(machine.watch.cpu(), Cpu::mine);
  }
}

TEST(CpuWatch, a_neighbour_that_is_there_from_the_start_is_known_after_two_yields) {
  Machine machine;
  machine.neighbour = Machine::Neighbour::waits;
  machine.wait(2);
  EXPECT_EQ(machine.watch.cpu(), Cpu::shared);
  machine.waits(1000, 5);
  EXPECT_EQ(machine.watch.cpu(), Cpu::shared);
}

TEST(CpuWatch, a_neighbour_is_known_from_waits_of_one_yield_each) {
  Machine machine;
  machine.neighbour = Machine::Neighbour::waits;
  machine.waits(2, 1);
  EXPECT_EQ(machine.watch.cpu(), Cpu::shared);
}

TEST(CpuWatch, a_neighbour_that_comes_is_noticed_and_one_that_goes_as_well) {
  Machine machine;
  for (int times = 0; times < 20; ++times) {
    machine.neighbour = Machine::Neighbour::none;
    machine.waits(1000, 40);
    EXPECT_EQ(machine.watch.cpu(), Cpu::mine) << times;
    machine.neighbour = Machine::Neighbour::waits;
    machine.waits(100, 40);
    EXPECT_EQ(machine.watch.cpu(), Cpu::shared) << times;
  }
}

// A neighbour that is asleep half of the time, and back as soon as one believes to be alone.
TEST(CpuWatch, who_was_wrong_again_and_again_asks_for_more_proof) {
  Machine machine;
  int wrong = 0;
  while (machine.now() < 2 * second) {
    machine.neighbour =
        machine.watch.cpu() == Cpu::shared ? Machine::Neighbour::none : Machine::Neighbour::waits;
    const Cpu before = machine.watch.cpu();
    machine.wait(20);
    wrong += before == Cpu::shared && machine.watch.cpu() == Cpu::mine;
  }
  EXPECT_GT(wrong, 3);
  EXPECT_LT(wrong, 300);  // 80 us each: a fortieth of the second
}

TEST(CpuWatch, a_neighbour_that_computes_is_no_reason_to_yield_early) {
  Machine machine;
  machine.neighbour = Machine::Neighbour::computes;
  machine.waits(100, 3);
  EXPECT_EQ(machine.watch.cpu(), Cpu::mine);
}

// Its second slice is the proof; after that one slice now and then shows whether it is still there.
TEST(CpuWatch, a_neighbour_that_computes_is_given_no_more_yields_for_longer_and_longer) {
  Machine machine;
  machine.neighbour = Machine::Neighbour::computes;
  machine.wait(1);
  EXPECT_EQ(machine.watch.crowded_until_ns(), 0u);
  machine.wait(1);
  for (uint64_t lasts = 50 * ms; lasts < 2 * second; lasts *= 2) {
    const uint64_t left = machine.watch.crowded_until_ns() - machine.now();
    EXPECT_LE(left, lasts);
    EXPECT_GE(left, lasts - ms);
    machine.sleep(left);
    machine.wait(1);
  }
}

TEST(CpuWatch, a_slice_once_in_a_while_and_yields_to_those_that_wait_are_no_crowd) {
  Machine machine;
  for (int i = 0; i < 20; ++i) {
    machine.neighbour = Machine::Neighbour::computes;
    machine.wait(1);
    machine.neighbour = Machine::Neighbour::waits;
    machine.waits(100, 3);
    machine.sleep(200 * ms);
  }
  EXPECT_EQ(machine.watch.crowded_until_ns(), 0u);
}

TEST(CpuWatch, one_that_waits_is_noticed_beside_one_that_computes) {
  Machine machine;
  machine.neighbour = Machine::Neighbour::both;
  machine.waits(2, 8);
  EXPECT_EQ(machine.watch.cpu(), Cpu::shared);
}

// The group's counter grows by so much in every 100 ms, for so many of them.
uint64_t throttle(CpuWatch& watch, uint64_t& total, uint64_t& now, uint64_t each, int periods) {
  for (int i = 0; i < periods; ++i) {
    now += 100 * ms;
    total += each;
    EXPECT_TRUE(watch.wants_quota(now));
    watch.see_quota(total, 2, now);
    EXPECT_FALSE(watch.wants_quota(now + 50 * ms));
  }
  return total;
}

TEST(CpuWatch, a_quota_that_takes_much_rations_the_time_until_it_has_not_for_a_second) {
  CpuWatch watch;
  uint64_t total = 5 * second, now = second;
  throttle(watch, total, now, 0, 1);  // what was before is nobody's concern
  EXPECT_EQ(watch.cpu(), Cpu::mine);
  throttle(watch, total, now, 80 * ms, 1);  // two PEs, each for 40 ms
  EXPECT_EQ(watch.cpu(), Cpu::rationed);
  throttle(watch, total, now, 0, 9);
  EXPECT_EQ(watch.cpu(), Cpu::rationed);
  throttle(watch, total, now, 0, 1);
  EXPECT_EQ(watch.cpu(), Cpu::mine);
  throttle(watch, total, now, 80 * ms, 1);  // so it was the spinning: two seconds this time
  throttle(watch, total, now, 0, 19);
  EXPECT_EQ(watch.cpu(), Cpu::rationed);
  throttle(watch, total, now, 0, 1);
  EXPECT_EQ(watch.cpu(), Cpu::mine);
}

TEST(CpuWatch, a_quota_that_takes_little_is_no_reason_to_sleep) {
  CpuWatch watch;
  uint64_t total = 0, now = second;
  throttle(watch, total, now, 10 * ms, 50);
  EXPECT_EQ(watch.cpu(), Cpu::mine);
}

}  // namespace
}  // namespace atrium
