// The threads of this process as the kernel sees them, and what it says of the process as a whole.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace atrium {

struct ThreadSample {
  pid_t id;
  // In a futex without a time limit, of which only this process knows: another of its threads must wake it.
  bool sleeps_until_woken;
  uint64_t sleeps;  // how often it has gone to sleep; the same later: it has not been awake since

  bool operator==(const ThreadSample&) const = default;
};

// One after the other, while they run on; none where /proc is not to be had.
std::vector<ThreadSample> sample_threads();

// Those that have not ended. (A main thread that has is still listed.)
std::vector<pid_t> running_threads();

pid_t this_thread();

// All of them, in order of their numbers.
std::vector<pid_t> thread_ids();

struct ProcessSample {
  uint64_t caught_signals;  // bit s - 1 is set where signal s has a handler
  bool is_traced;           // by a debugger
};
ProcessSample sample_process();

}  // namespace atrium
