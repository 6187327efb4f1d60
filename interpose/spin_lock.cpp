// Waits for a lock, and answers other PEs meanwhile.
// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/spin_lock.hpp"

#include "atrium_waiting.h"
#include "interpose/library.hpp"

namespace atrium::interpose {

constinit thread_local int spin_locks_here = 0;

void SpinLock::lock() {
  atrium_waiting waiting{};
  for (unsigned looks = 1; word_.load(std::memory_order_relaxed) != 0 || !try_lock(); ++looks)
    if (looks % 64 == 0 && atrium_give_way(&waiting))
      progress();  // who holds it may be waiting for what it has asked of this PE
}

}  // namespace atrium::interpose
