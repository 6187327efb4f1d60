// Sleeping on a word of shared memory, and waking who sleeps there.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>

namespace atrium {

// Sleeps while `word` holds `expected`, at most `timeout_ns` (none if negative). May return early for no
// reason. Works between processes: the word lies in memory that both have mapped.
inline void futex_sleep(std::atomic<uint32_t>& word, uint32_t expected, int64_t timeout_ns = -1) {
  timespec timeout{timeout_ns / 1'000'000'000, timeout_ns % 1'000'000'000};
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAIT, expected,
          timeout_ns < 0 ? nullptr : &timeout, nullptr, 0);
}

// Wakes everybody who sleeps on `word`.
inline void futex_wake_all(std::atomic<uint32_t>& word) {
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace atrium
