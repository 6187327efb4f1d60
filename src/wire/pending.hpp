// Counts the operations of a context that have been issued and are not yet complete.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace atrium {

// Operations that are not complete, counted in the low 63 bits: a context's word, whose highest bit is not ours
// (transport/pending.hpp). Null if no thread will ask.
using Pending = uint64_t;

inline constexpr uint64_t pending_count = ~(uint64_t{1} << 63);

inline void issue(Pending* pending, uint64_t operations = 1) {
  if (pending) __atomic_fetch_add(pending, operations, __ATOMIC_RELAXED);
}
// A thread that then finds nothing pending also sees what the operations have stored.
inline void complete(Pending* pending, uint64_t operations = 1) {
  if (pending) __atomic_fetch_sub(pending, operations, __ATOMIC_RELEASE);  // SYNC pending
}
inline bool is_complete(const Pending* pending) {
  return (__atomic_load_n(pending, __ATOMIC_ACQUIRE) & pending_count) == 0;  // SYNC pending
}

}  // namespace atrium
