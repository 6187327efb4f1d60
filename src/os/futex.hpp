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

// What puts threads to sleep and wakes them instead of the kernel: a simulator, by a clock of its own (sim/).
struct Sleeping {
  void (*sleep)(std::atomic<uint32_t>& word, uint32_t expected, int64_t timeout_ns);
  void (*wake_all)(std::atomic<uint32_t>& word);
};
namespace detail {
inline const Sleeping* sleeping = nullptr;  // null: the kernel
}
// Not thread safe; while no thread sleeps.
inline void set_sleeping(const Sleeping* by) { detail::sleeping = by; }

// Sleeps while `word` holds `expected`, at most `timeout_ns` (none if negative). May return early for no
// reason. Works between processes: the word lies in memory that both have mapped.
inline void futex_sleep(std::atomic<uint32_t>& word, uint32_t expected, int64_t timeout_ns = -1) {
  if (__builtin_expect(detail::sleeping != nullptr, 0))
    return detail::sleeping->sleep(word, expected, timeout_ns);
  timespec timeout{timeout_ns / 1'000'000'000, timeout_ns % 1'000'000'000};
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAIT, expected,
          timeout_ns < 0 ? nullptr : &timeout, nullptr, 0);
}

// Wakes all threads that sleep on `word`.
inline void futex_wake_all(std::atomic<uint32_t>& word) {
  if (__builtin_expect(detail::sleeping != nullptr, 0)) return detail::sleeping->wake_all(word);
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace atrium
