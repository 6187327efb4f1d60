// What this PE knows of the job and of the check.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "race/shadow/shared_memory.hpp"

namespace atrium::race {

struct CheckedJob {
  int me = -1;
  int pes = 0;
  bool strict = false;
  bool failed = false;  // exit with the status for races
  bool instrumented = false;
  SharedLayout plan{};
  SharedMemory shared[most_pes];
  uintptr_t globals_begin = 0;
  uintptr_t heap_begin = 0;
  const int* numbers = nullptr;  // by which reports call the processes; null: those that they have here
};

extern CheckedJob job;

// Between init and the finalize that ends it, when the check was asked for and could be set up: in each session.
extern bool working;

// From the first session on: threads go on ordering each other between a finalize and the next init.
extern bool following;

extern bool threads_exist;

// The threads of this PE order each other in ways that are not seen: what one does is taken to precede the others'.
extern bool threads_unseen;

inline Board& board() { return job.shared[0].board(); }
// Those beyond the last share it (take_lane).
inline uint32_t lanes_used() {
  return std::min<uint32_t>(board().lanes.load(std::memory_order_relaxed), most_lanes);
}

// The program is to be checked: ATRIUM_RACES.
bool wanted();

inline constexpr int status_races = 66;

}  // namespace atrium::race
