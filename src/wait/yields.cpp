// Shows the kernel's counters to the thread's watch, and what that says to all waits.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/yields.hpp"

#include <sched.h>

#include "os/clock.hpp"
#include "os/thread_switches.hpp"
#include "topology/quota.hpp"
#include "wait/cpu_watch.hpp"
#include "wait/policy.hpp"

namespace atrium {
namespace {

using Cpu = CpuWatch::Cpu;

thread_local CpuWatch watch;

CpuWatch::Counters counters_now() { return {now_ns(), involuntary_switches()}; }

// A yield takes half a microsecond, or what another PE's turn takes: with 64, 400, 2,000 looks before the first one a barrier of
// 2 x 2 PEs on 2 CPUs takes 77, 440, 4,900 us (docs/design/waiting.md). Where time is rationed a yield wastes it, and a sleep
// does not.
void tell_all_waits(Cpu cpu) {
  constexpr uint32_t few_looks = 64, few_yields = 32;
  detail::most_spins.store(cpu == Cpu::mine ? UINT32_MAX : few_looks, std::memory_order_relaxed);
  detail::most_yields.store(cpu == Cpu::rationed ? few_yields : UINT32_MAX, std::memory_order_relaxed);
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
  watch.look(count_, slices_, counters_now());
  count_ = slices_ = 0;
  see_quota();
  if (watch.cpu() != before) tell_all_waits(watch.cpu());
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
