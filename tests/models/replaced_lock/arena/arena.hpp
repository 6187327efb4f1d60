// Stands in front of src/arena/arena.hpp when a model is compiled: a PE's globals begin where its memory does.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "ops/target.hpp"

namespace atrium {

struct MyMemory {
  operator const std::byte*() const { return memory_of[model::this_thread()]; }
};
struct Arena {
  bool in_globals(const void*) const { return true; }
  MyMemory globals, heap;
};
inline Arena arena;

}  // namespace atrium
