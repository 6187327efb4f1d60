// Programs that wait in loops of their own: they test, or fetch a peer's word, again and again without success.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

namespace atrium {

namespace detail {
inline std::atomic<uint32_t> fruitless_tests{0};  // about: threads may lose some of each other's
extern void (*polling_watcher)();
void report_polling();
}  // namespace detail

// `watcher` is called by the testing thread every so many tests, so that it can look at the clock. Not
// thread safe; before any test.
void watch_polling(void (*watcher)());

// To be called when a test has failed.
inline void tested_in_vain() {
  constexpr uint32_t tests_per_report = 4096;
  const uint32_t tests = detail::fruitless_tests.load(std::memory_order_relaxed) + 1;
  detail::fruitless_tests.store(tests, std::memory_order_relaxed);
  if (__builtin_expect(tests % tests_per_report == 0, 0)) detail::report_polling();
}

}  // namespace atrium
