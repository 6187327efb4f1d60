// How many operations between nodes a PE has begun, and how many it has ended. When no PE begins any, equal sums over all PEs of a
// job mean that nothing is under way.
// SPDX-License-Identifier: BSD-3-Clause
//
// A record is begun by the PE that appends it. It is ended by the PE that has executed it, after the wake-ups, and after the answer
// has begun. A transfer is begun and ended by the PE that posts it. So at every moment the difference counts everything that may
// still change memory or cause an answer, whichever PE it is at. Acknowledgements only let their receiver reuse memory, and are
// not counted.
//
// Thread safety: one writer, the holder of the progress lock; any number of readers in other processes.
#pragma once

#include <atomic>
#include <cstdint>

namespace atrium {

struct Traffic {
  std::atomic<uint64_t> begun, ended;

  void begin() { set_begun(begun.load(std::memory_order_relaxed) + 1); }
  void set_begun(uint64_t sum) { begun.store(sum, std::memory_order_relaxed); }
  void set_ended(uint64_t sum) { ended.store(sum, std::memory_order_release); }  // SYNC traffic
};

}  // namespace atrium
