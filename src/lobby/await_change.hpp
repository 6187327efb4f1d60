// Waiting for another process to change a word of the lobby.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "os/futex.hpp"
#include "wait/wait.hpp"

namespace atrium {

// Until it is another value. Asleep at once: whoever waits here waits for processes to start or to end. After a second it is a
// wait as any other, which drives the network and is told (job/long_wait.hpp): the others may never come.
inline void await_change(std::atomic<uint32_t>& word, uint32_t value) {
  constexpr int64_t second = 1'000'000'000;
  const auto has_changed = [&] {
    return word.load(std::memory_order_acquire) != value;
  };  // SYNC lobby-meeting node-gathered
  if (has_changed()) return;
  futex_sleep(word, value, second);
  wait_for(WaitReason{}, has_changed);
}

}  // namespace atrium
