// Shows the kernel's counters to the thread's watch, and what that says to all waits.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/yields.hpp"

#include <sched.h>

#include <atomic>

#include "os/clock.hpp"
#include "os/thread_switches.hpp"
#include "topology/quota.hpp"
#include "wait/cpu_watch.hpp"
#include "wait/policy.hpp"
#include "wait/wait.hpp"

namespace atrium {
namespace {

using Cpu = CpuWatch::Cpu;

thread_local CpuWatch watch;

CpuWatch::Counters counters_now() { return {now_ns(), involuntary_switches()}; }

// Until when the CPU counts as contended; written by any thread that finds it out. 0: it never was.
std::atomic<uint64_t> crowded_until_ns{0};

// A yield takes half a microsecond, or what another PE's turn takes: with 64, 400, 2,000 looks before the first one a barrier of
// 2 x 2 PEs on 2 CPUs takes 77, 440, 4,900 us (docs/design/waiting.md). Where time is rationed a yield wastes it, and a sleep
// does not. Beside a computation a yield takes a slice, and forfeits the thread's own: a sleep keeps it.
void limit_all_waits() {
  constexpr uint32_t few_looks = 64, few_yields = 32;
  const Cpu cpu = watch.cpu();
  const bool is_crowded = crowded_until_ns.load(std::memory_order_relaxed) != 0;
  detail::most_spins.store(cpu == Cpu::mine && !is_crowded ? UINT32_MAX : few_looks,
                           std::memory_order_relaxed);
  detail::most_yields.store(is_crowded             ? 0
                            : cpu == Cpu::rationed ? few_yields
                                                   : UINT32_MAX,
                            std::memory_order_relaxed);
}

// A wait for the network goes on yielding: what it does in a sleep has not been measured beside computations.
bool sees_crowd(uint64_t now) {
  const uint64_t until = watch.crowded_until_ns();
  if (until <= now || until == crowded_until_ns.load(std::memory_order_relaxed) || detail::meanwhile.look)
    return false;
  crowded_until_ns.store(until, std::memory_order_relaxed);
  return true;
}

void see_quota() {
  const uint32_t pes = wait_policy().pes_of_quota;
  if (const uint64_t now = now_ns(); pes > 0 && watch.wants_quota(now))
    watch.see_quota(cgroup_throttled_ns(), pes, now);
}

}  // namespace

void Yields::begin() {
  has_begun_ = true;
  is_watched_ = wait_policy().watches_cpu && watch.wants_wait();
  if (is_watched_) watch.begin(counters_now());
}

void Yields::look() {
  const Cpu before = watch.cpu();
  const CpuWatch::Counters counters = counters_now();
  watch.look(count_, slices_, counters);
  count_ = slices_ = 0;
  see_quota();
  const bool is_new_crowd = sees_crowd(counters.now_ns);
  if (is_new_crowd || watch.cpu() != before) limit_all_waits();
}

void Yields::pause() {
  if (count_ > 0) look();
  is_watched_ = has_begun_ = false;
  uint64_t until = crowded_until_ns.load(std::memory_order_relaxed);
  if (until == 0 || now_ns() < until) return;
  if (crowded_until_ns.compare_exchange_strong(until, 0, std::memory_order_relaxed)) limit_all_waits();
}

void Yields::yield() {
  if (!has_begun_) begin();
  if (!is_watched_) {
    sched_yield();
    return;
  }
  const uint64_t began = now_ns();
  sched_yield();
  slices_ += now_ns() - began >= CpuWatch::slice_ns;
  if (watch.wants_look(++count_)) look();
}

}  // namespace atrium
