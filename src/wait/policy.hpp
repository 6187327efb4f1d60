// How a PE of this job waits: decided once at init, shown by atrium-info.
// SPDX-License-Identifier: BSD-3-Clause
//
// A wait goes through up to three stages: *spin* (look, pause), *yield* (look, give the CPU away), *block*
// (sleep until woken or until a nap is over, look again). The policy says how long each stage lasts. Where the PEs of the job
// leave each other a CPU, others may still want it: then what the threads find out while they wait shortens the stages
// (wait/yields.hpp). Every wait, for memory, the network or a neighbour's endpoint, takes its stages from here.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "core/result.hpp"

namespace atrium {

enum class WaitMode { automatic, spin, yield, block };

struct WaitPolicy {
  uint32_t spins = 2000;         // looks, with a pause between, before the first yield
  uint32_t yields = UINT32_MAX;  // fruitless yields before blocking
  uint32_t spins_between = 0;    // looks with a pause from one yield to the next
  uint32_t yield_us = 1000;      // ... or this much time, whichever comes first
  bool blocks = true;            // may sleep at all
  bool writers_wake = false;     // writers fence, look for sleepers and wake them: no wake-up is ever lost
  uint32_t first_nap_us = 50;    // a sleeper looks again after this long, each time twice as long ...
  uint32_t last_nap_us = 1000;   // ... up to this: a store that wakes no sleeper is seen that late at most
  uint32_t note_after_s =
      0;  // a sleeper says what it waits for after this long, then after twice that, ...; 0: never
  const char* name = "dedicated";  // for people: dedicated, oversubscribed, spin, yield, block
  bool watches_cpu = false;        // finds out whether others want the CPU
  uint32_t pes_of_quota = 0;       // ... and whether a quota keeps so many PEs from running; 0: there is none
};

// The policy for such a job. `realtime`: this process runs under SCHED_FIFO or SCHED_RR, where spinning may
// lock the machine up, so that no mode spins or yields for ever.
WaitPolicy choose_wait_policy(WaitMode asked, int pes_on_node, int usable_cpus, bool realtime);

// Requires: one of the words of ATRIUM_WAIT: auto, spin, yield, block.
WaitMode wait_mode_from(std::string_view word);

// Decides the policy of this process from ATRIUM_WAIT and ATRIUM_WAIT_NOTE. Called by init: by the CPUs of the PEs that have
// come, and again when all have, before any wait of the program's; not thread safe. `has_quota`: some group of the process has
// one.
Result<void> configure_waiting(int pes_on_node, int usable_cpus, bool has_quota = false);

namespace detail {
extern WaitPolicy chosen_policy;
extern std::atomic<uint32_t> most_spins, most_yields;  // what the CPU allows now
}  // namespace detail
inline const WaitPolicy& wait_policy() { return detail::chosen_policy; }

// The lengths of the first two stages of a wait that begins now.
inline uint32_t spins_now() {
  return std::min(wait_policy().spins, detail::most_spins.load(std::memory_order_relaxed));
}
inline uint32_t yields_now() {
  return std::min(wait_policy().yields, detail::most_yields.load(std::memory_order_relaxed));
}

// An inlined store wakes no sleeper. Where sleepers rely on being woken, the inline path must call the library.
inline bool writers_must_call() { return detail::chosen_policy.writers_wake; }

}  // namespace atrium
