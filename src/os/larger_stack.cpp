// Leaves a handler's stack for a while, and comes back to it, by the C library's contexts. The kernel lets nobody change a stack on
// which a handler runs: neither sigaltstack() nor, on all versions, the context that the handler returns to.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/larger_stack.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <atomic>

namespace atrium {
namespace {

// Enough for what is said, as was tried with 16 KiB. AddressSanitizer's own stacks have 32, and must not be left: it would warn.
constexpr size_t small_bytes = size_t{32} << 10;

// Found by the dynamic linker when this library is loaded: when they were first called, that would need more than a small stack has.
decltype(&getcontext) volatile get_context = getcontext;
decltype(&makecontext) volatile make_context = makecontext;
decltype(&swapcontext) volatile swap_contexts = swapcontext;

void* room = nullptr;
sigset_t every_signal;  // another's handler would begin where the kernel takes the handlers' stack to be free
std::atomic<bool> taken = false;
// Of the one that has taken it. They would fill a small stack by themselves.
ucontext_t before, there;
void (*to_run)(void*);
void* its_subject;

bool is_small(const stack_t& stack) {
  const char here = 0;
  const auto* const begin = static_cast<const char*>(stack.ss_sp);
  return !(stack.ss_flags & SS_DISABLE) && stack.ss_size < small_bytes && &here >= begin &&
         &here < begin + stack.ss_size;
}

void run() { to_run(its_subject); }

void run_there(void (*what)(void*), void* subject) {
  to_run = what;
  its_subject = subject;
  get_context(&there);
  there.uc_stack.ss_sp = room;
  there.uc_stack.ss_size = handler_stack_bytes;
  there.uc_link = &before;
  there.uc_sigmask = every_signal;
  make_context(&there, run, 0);
  swap_contexts(&before, &there);
}

}  // namespace

void prepare_larger_stack() {
  if (room) return;
  sigfillset(&every_signal);
  void* const memory =
      mmap(nullptr, handler_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) room = memory;
}

void run_with_room(const void* context, void (*run)(void*), void* subject) {
  const bool moves =
      room && is_small(static_cast<const ucontext_t*>(context)->uc_stack) && !taken.exchange(true);
  if (!moves) return run(subject);
  run_there(run, subject);
  taken = false;
}

}  // namespace atrium
