// By the C library's contexts.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/deep_stack.hpp"

#include <sys/mman.h>
#include <ucontext.h>

namespace atrium {
namespace {

constexpr size_t stack_bytes = size_t{1} << 20;

// makecontext passes no pointers, and contexts are too large for a small stack.
ucontext_t before, there;
void (*to_run)(const void*);
const void* its_subject;

void run_there() { to_run(its_subject); }

}  // namespace

void run_on_deep_stack(void (*run)(const void*), const void* subject) {
  void* const stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) return run(subject);
  to_run = run;
  its_subject = subject;
  getcontext(&there);
  there.uc_stack = {stack, 0, stack_bytes};
  there.uc_link = &before;
  makecontext(&there, run_there, 0);
  swapcontext(&before, &there);
  munmap(stack, stack_bytes);
}

}  // namespace atrium
