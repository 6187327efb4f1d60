// How much a PE has begun between nodes, and how much it has ended: equal sums over all PEs of a job mean that nothing is
// under way, once nobody begins anything.
// SPDX-License-Identifier: BSD-3-Clause
//
// A record is begun by the PE that appends it and ended by the PE that has executed it, whose wake-ups are done and whose
// answer has begun. A transfer is begun and ended by the PE that posts it. So whatever may still change memory or answer
// anybody is in the difference, at every moment, whoever carries it. Acknowledgements change nothing but what their
// receiver may reuse, and are not counted.
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
