// The wait policy: from the number of PEs, the CPUs they may use, the scheduling class and ATRIUM_WAIT.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/policy.hpp"

#include <sched.h>

#include <algorithm>

#include "core/settings.hpp"

namespace atrium {

namespace detail {
WaitPolicy chosen_policy;
std::atomic<uint32_t> most_spins{UINT32_MAX}, most_yields{UINT32_MAX};
}  // namespace detail

namespace {

// Every PE has a CPU: spinning costs nothing, and yielding gains nothing, as long as no other process wants the CPU. The
// stages' lengths (docs/design/waiting.md): some tens of microseconds of spinning, about 1 ms in all before blocking.
WaitPolicy dedicated() {
  WaitPolicy policy;
  policy.watches_cpu = true;
  return policy;
}

// PEs share CPUs: the one we wait for may need ours. Eight PEs on two CPUs pass a barrier in 7.8 us when they
// yield at once, in 23 when they spin a hundred times first, in 35 when they block at once, in 17,760 when
// they spin. The fewer share a CPU, the sooner a yield returns: so the yields before
// blocking last about as long for few as for many (docs/design/waiting.md). Naps grow with the PEs per CPU, so that
// the re-checks of all sleepers together stay a small share of a CPU.
WaitPolicy oversubscribed(int pes, int cpus) {
  constexpr int usually_longest_ms = 20, naps_per_ms = 8;
  const int pes_per_cpu = std::max(pes / std::max(cpus, 1), 1);
  WaitPolicy policy;
  policy.name = "oversubscribed";
  policy.spins = 0;
  policy.yields = 320 / static_cast<uint32_t>(std::clamp(pes_per_cpu, 2, 16));
  policy.yield_us = UINT32_MAX;
  policy.writers_wake = true;
  policy.first_nap_us = 1000;
  policy.last_nap_us = 1000 * static_cast<uint32_t>(std::max(std::min(pes_per_cpu, usually_longest_ms),
                                                             pes_per_cpu / naps_per_ms));
  return policy;
}

WaitPolicy spinning() {
  WaitPolicy policy;
  policy.name = "spin";
  policy.spins = 1 << 22;  // a fifth of a second of looking; afterwards it also yields, though seldom
  policy.spins_between = 1 << 12;
  policy.blocks = false;
  return policy;
}

WaitPolicy yielding() {
  WaitPolicy policy;
  policy.name = "yield";
  policy.spins = 0;
  policy.blocks = false;
  return policy;
}

WaitPolicy blocking(int pes, int cpus) {
  WaitPolicy policy = oversubscribed(pes, cpus);
  policy.name = "block";
  policy.yields = 0;
  return policy;
}

bool runs_in_realtime() {
  const int scheduler = sched_getscheduler(0);
  if (scheduler < 0) return false;
  const int bare = scheduler & ~SCHED_RESET_ON_FORK;
  return bare == SCHED_FIFO || bare == SCHED_RR;
}

}  // namespace

WaitPolicy choose_wait_policy(WaitMode asked, int pes, int cpus, bool realtime) {
  if (realtime) {
    WaitPolicy policy = blocking(pes, cpus);
    policy.name = "block (real-time scheduling class)";
    return policy;
  }
  switch (asked) {
    case WaitMode::spin:
      return spinning();
    case WaitMode::yield:
      return yielding();
    case WaitMode::block:
      return blocking(pes, cpus);
    case WaitMode::automatic:
      break;
  }
  return pes <= cpus ? dedicated() : oversubscribed(pes, cpus);
}

WaitMode wait_mode_from(std::string_view word) {
  if (word == "spin") return WaitMode::spin;
  if (word == "yield") return WaitMode::yield;
  if (word == "block") return WaitMode::block;
  return WaitMode::automatic;
}

Result<void> configure_waiting(int pes_on_node, int usable_cpus, bool has_quota) {
  auto word = word_setting("ATRIUM_WAIT");
  if (!word) return word.error();
  auto note_after_s = seconds_setting("ATRIUM_WAIT_NOTE");
  if (!note_after_s) return note_after_s.error();
  detail::chosen_policy =
      choose_wait_policy(wait_mode_from(*word), pes_on_node, usable_cpus, runs_in_realtime());
  if (has_quota) detail::chosen_policy.pes_of_quota = static_cast<uint32_t>(std::max(pes_on_node, 1));
  detail::chosen_policy.note_after_s = whole_seconds_of(*note_after_s);
  return {};
}

}  // namespace atrium
