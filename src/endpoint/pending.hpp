// Counts the operations of a context that have been issued and are not yet complete.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace atrium {

// The highest bit of a context's word is not ours (transport/pending.hpp).
inline constexpr uint64_t pending_count = ~(uint64_t{1} << 63);

inline void issue(uint64_t* pending, uint64_t operations = 1) {
  if (pending) __atomic_fetch_add(pending, operations, __ATOMIC_RELAXED);
}
// What the completion brought is seen by whoever then finds nothing pending.
inline void complete(uint64_t* pending, uint64_t operations = 1) {
  if (pending) __atomic_fetch_sub(pending, operations, __ATOMIC_RELEASE);  // SYNC pending
}
inline bool is_complete(const uint64_t* pending) {
  return (__atomic_load_n(pending, __ATOMIC_ACQUIRE) & pending_count) == 0;  // SYNC pending
}

}  // namespace atrium
