// Stands in front of src/arch/fence.hpp when a model is compiled.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace atrium {

inline void full_fence(const std::source_location& where = std::source_location::current()) {
  model::fence(std::memory_order_seq_cst, where);
}
inline void full_fence_before_exchange(const std::source_location& where = std::source_location::current()) {
  full_fence(where);
}
inline void release_fence(const std::source_location& where = std::source_location::current()) {
  model::fence(std::memory_order_release, where);
}
inline void acquire_fence(const std::source_location& where = std::source_location::current()) {
  model::fence(std::memory_order_acquire, where);
}

}  // namespace atrium
