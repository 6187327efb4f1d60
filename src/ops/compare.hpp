// Comparing a word of symmetric memory with a value (SHMEM_CMP_*).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "ops/wait.hpp"
#include "shmem/types.h"

namespace atrium::detail {

template <class W>
bool holds(W word, int cmp, W value) {
  switch (cmp) {
    case SHMEM_CMP_EQ:
      return word == value;
    case SHMEM_CMP_NE:
      return word != value;
    case SHMEM_CMP_GT:
      return word > value;
    case SHMEM_CMP_GE:
      return word >= value;
    case SHMEM_CMP_LT:
      return word < value;
    case SHMEM_CMP_LE:
      return word <= value;
    default:
      return false;
  }
}

inline const char* symbol_of(int cmp) {
  switch (cmp) {
    case SHMEM_CMP_EQ:
      return "==";
    case SHMEM_CMP_NE:
      return "!=";
    case SHMEM_CMP_GT:
      return ">";
    case SHMEM_CMP_GE:
      return ">=";
    case SHMEM_CMP_LT:
      return "<";
    case SHMEM_CMP_LE:
      return "<=";
    default:
      return "";
  }
}

// What was stored before the word was written is visible behind this load.
template <class W>
W load_word(const void* words, size_t i = 0) {
  return __atomic_load_n(static_cast<const Aliasing<W>*>(words) + i, __ATOMIC_ACQUIRE);  // SYNC wait
}

void require_watchable(const void* words, size_t bytes, size_t alignment);
// Before shmem_init and after shmem_finalize no PE could ever write the word.
void require_a_job();
// Always looked at: a comparison that means nothing would wait for ever.
void require_comparison(int cmp);

}  // namespace atrium::detail
