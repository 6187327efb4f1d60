// Walks this thread's stack by the unwinder of the compiler's run-time library.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/stack_frames.hpp"

#include <unwind.h>

#include <cstddef>
#include <cstdint>

namespace atrium {
namespace {

struct StackWalk {
  std::span<void*> frames;
  size_t count = 0;
  bool is_past_walker = false;  // the first frame is that of walk_frames()
  uintptr_t stack = 0;          // of the frame before
};

_Unwind_Reason_Code visit(_Unwind_Context* frame, void* of_walk) {
  StackWalk& walk = *static_cast<StackWalk*>(of_walk);
  if (!walk.is_past_walker) {
    walk.is_past_walker = true;
    return _URC_NO_REASON;
  }
  if (walk.count == walk.frames.size()) return _URC_END_OF_STACK;
  const auto address = reinterpret_cast<void*>(_Unwind_GetIP(frame));
  const uintptr_t stack = _Unwind_GetCFA(frame);
  const bool stands_still = walk.count > 0 && walk.frames[walk.count - 1] == address && walk.stack == stack;
  if (address == nullptr || stands_still) return _URC_END_OF_STACK;
  walk.frames[walk.count++] = address;
  walk.stack = stack;
  return _URC_NO_REASON;
}

}  // namespace

[[gnu::noinline]] size_t walk_frames(std::span<void*> frames) {
  StackWalk walk{frames};
  _Unwind_Backtrace(visit, &walk);
  return walk.count;
}

}  // namespace atrium
