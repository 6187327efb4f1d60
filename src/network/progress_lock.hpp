// The progress lock: the thread that holds it drives the endpoint.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/pause.hpp"
#include "network/thread_sanitizer.hpp"
#include "os/futex.hpp"

namespace atrium {

// 0 free, 1 held, 2 held while threads sleep.
class ProgressLock {
 public:
  void lock(int looks = 200) {
    while (!lock_soon(looks)) looks = 0;
  }
  // Tries, and then sleeps for a millisecond at most. False: it is not free yet.
  bool lock_soon(int looks = 200) {
    for (int look = 0; look < looks; ++look) {
      if (try_lock()) return true;
      pause();
    }
    const bool is_mine = state_.exchange(2, std::memory_order_acquire) == 0;  // SYNC progress
    is_mine ? mark_acquired(&state_) : futex_sleep(state_, 2, 1'000'000);
    return is_mine;
  }
  bool try_lock() {
    uint32_t expected = 0;
    if (state_.load(std::memory_order_relaxed) != 0 ||
        !state_.compare_exchange_strong(expected, 1, std::memory_order_acquire))  // SYNC progress
      return false;
    mark_acquired(&state_);
    return true;
  }
  void unlock() {
    mark_released(&state_);
    if (state_.exchange(0, std::memory_order_release) == 2) futex_wake_all(state_);  // SYNC progress
  }

 private:
  std::atomic<uint32_t> state_{0};
};

}  // namespace atrium
