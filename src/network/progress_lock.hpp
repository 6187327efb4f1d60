// The progress lock: the thread that holds it drives the endpoint.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/pause.hpp"
#include "network/lock_holder.hpp"
#include "network/thread_sanitizer.hpp"
#include "os/futex.hpp"

namespace atrium {

// 0: free; else the number of the thread that holds it, with `sleepers` while others sleep.
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
    uint32_t held = 0;
    if (take(held)) return true;
    require_another(held);
    if ((held & sleepers) != 0 ||
        state_.compare_exchange_strong(held, held | sleepers, std::memory_order_relaxed))
      futex_sleep(state_, held | sleepers, 1'000'000);
    return false;
  }
  bool try_lock() {
    uint32_t held = 0;
    return state_.load(std::memory_order_relaxed) == 0 && take(held);
  }
  void unlock() {
    mark_released(&state_);
    if ((state_.exchange(0, std::memory_order_release) & sleepers) != 0)  // SYNC progress
      futex_wake_all(state_);
  }
  // For who does without the lock where it is not free. Ends the job if this thread holds it.
  void require_another_holder() const { require_another(state_.load(std::memory_order_relaxed)); }

 private:
  static constexpr uint32_t sleepers = uint32_t{1} << 31;

  // False: `held` is what the word holds instead of 0.
  bool take(uint32_t& held) {
    const uint32_t me = number_of_this_thread();
    if (!state_.compare_exchange_strong(held, me, std::memory_order_acquire)) return false;  // SYNC progress
    mark_acquired(&state_);
    return true;
  }
  static void require_another(uint32_t held) {
    if ((held & ~sleepers) == number_of_this_thread()) refuse_call_of_handler();
  }

  std::atomic<uint32_t> state_{0};
};

}  // namespace atrium
