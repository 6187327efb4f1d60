// Waiting for another process to change a word of the lobby.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "os/futex.hpp"
#include "wait/wait.hpp"

namespace atrium {

// Waits until it has another value. Sleeps at once, because it waits for processes to start or to end. After a second it is a wait
// like any other, which drives the network and is published (job/long_wait.hpp), because the others may never come.
inline void await_change(std::atomic<uint32_t>& word, uint32_t value) {
  constexpr int64_t second = 1'000'000'000;
  const auto has_changed = [&] {
    return word.load(std::memory_order_acquire) != value;
  };  // SYNC lobby-barrier node-gathered
  if (has_changed()) return;
  futex_sleep(word, value, second);
  wait_for(WaitReason{}, has_changed);
}

}  // namespace atrium
