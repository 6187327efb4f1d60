// Waits for a lock, and answers other PEs meanwhile.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/spin_lock.hpp"

#include <sched.h>

#include "interpose/library.hpp"

namespace atrium::interpose {

void SpinLock::lock() {
  for (unsigned tries = 0;; ++tries) {
    if (word_.load(std::memory_order_relaxed) == 0 && word_.exchange(1, std::memory_order_acquire) == 0)
      return;  // SYNC tool-spin
    if (tries % 64 != 63) continue;
    sched_yield();
    progress();  // who holds it may be waiting for what it has asked of this PE
  }
}

}  // namespace atrium::interpose
