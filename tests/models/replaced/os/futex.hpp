// Stands in front of src/os/futex.hpp when a model is compiled. No sleep ends by its time limit, so that a wake-up
// that is lost is a state in which nobody can go on.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace atrium {

inline void futex_sleep(std::atomic<uint32_t>& word, uint32_t expected, int64_t = -1) {
  model::futex_sleep(word.object, expected, std::source_location::current());
}
inline void futex_wake_all(std::atomic<uint32_t>& word) {
  model::futex_wake_all(word.object, std::source_location::current());
}

}  // namespace atrium
