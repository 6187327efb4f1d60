// A lock between processes and threads, for a few instructions. It is no mutex, because a tool may replace the routines of mutexes,
// and may take locks of the program while it holds its own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

namespace atrium::interpose {

// How many of them this thread holds, or is about to take.
extern __attribute__((tls_model("initial-exec"))) constinit thread_local int spin_locks_here;

class SpinLock {
 public:
  void lock();
  bool try_lock() {
    count_here(1);
    if (word_.exchange(1, std::memory_order_acquire) == 0) return true;  // SYNC tool-spin
    count_here(-1);
    return false;
  }
  void unlock() {
    word_.store(0, std::memory_order_release);  // SYNC tool-spin
    count_here(-1);
  }
  // If so, what asks is a signal's handler that has interrupted the tool. It must take none of these locks: the thread may hold
  // that very one.
  static bool is_held_here() { return spin_locks_here != 0; }

 private:
  static void count_here(int change) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    spin_locks_here += change;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }

  std::atomic<uint32_t> word_{0};
};

}  // namespace atrium::interpose
