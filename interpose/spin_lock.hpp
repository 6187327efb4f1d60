// A lock between processes and threads, for a few instructions. It is no mutex, because a tool may replace the routines of mutexes,
// and may take locks of the program while it holds its own.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

namespace atrium::interpose {

class SpinLock {
 public:
  void lock();
  bool try_lock() { return word_.exchange(1, std::memory_order_acquire) == 0; }  // SYNC tool-spin
  void unlock() { word_.store(0, std::memory_order_release); }                   // SYNC tool-spin

 private:
  std::atomic<uint32_t> word_{0};
};

}  // namespace atrium::interpose
