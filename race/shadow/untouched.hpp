// Memory of zeros straight from the system: what is not touched costs nothing.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/mman.h>

#include <cstddef>

#include "interpose/say.hpp"

namespace atrium::race {

// Null: there is no address space left.
template <class T>
T* untouched(size_t count) {
  void* memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<T*>(memory);
}

// The job ends with `trouble` where there is none.
template <class T>
T* require_untouched(const char* trouble, size_t count = 1) {
  T* memory = untouched<T>(count);
  if (!memory) interpose::give_up(trouble);
  return memory;
}

}  // namespace atrium::race
