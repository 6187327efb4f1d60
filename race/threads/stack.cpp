// Asks once where the stack of a thread is.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/threads/stack.hpp"

#include <pthread.h>

#include <algorithm>

#include "race/model/access.hpp"

namespace atrium::race {
namespace {

// Nobody uses more of a stack than this. The limit of the first thread's may be the whole address space.
constexpr uintptr_t most_bytes = uintptr_t{1} << 30;
// Nor what a task calls, more than this. The shadow of all that is looked through each time.
constexpr uintptr_t most_below_bytes = uintptr_t{64} << 20;

struct ThreadStack {
  uintptr_t begin, end;  // `end` 1: there is none
};
__attribute__((tls_model("initial-exec"))) thread_local ThreadStack stack{};

ThreadStack find_stack() {
  pthread_attr_t attributes;
  void* base = nullptr;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {0, 1};
  const bool known = pthread_attr_getstack(&attributes, &base, &bytes) == 0;
  pthread_attr_destroy(&attributes);
  if (!known) return {0, 1};
  const uintptr_t begin = reinterpret_cast<uintptr_t>(base), end = begin + bytes;
  return {end - std::min<uintptr_t>(bytes, most_bytes), end};
}

void forget_below(uintptr_t frame, uintptr_t most) {
  if (stack.end == 0) stack = find_stack();
  const uintptr_t end = std::min(frame, stack.end);
  if (end <= stack.begin || stack.begin == 0) return;
  const uintptr_t begin = end - std::min(end - stack.begin, most);
  forget_private(begin, end - begin);
}

}  // namespace

void forget_stack() { forget_below(UINTPTR_MAX, most_bytes); }
void forget_stack_below(uintptr_t frame) { forget_below(frame, most_below_bytes); }

}  // namespace atrium::race
