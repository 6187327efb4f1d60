// Runs a signal handler on a larger stack. There is one such stack for all handlers; the first that needs it takes it.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/larger_stack.hpp"

#include <signal.h>
#include <ucontext.h>

#include <atomic>

namespace atrium {
namespace {

// Enough for what is said, as was tried with 16 KiB. AddressSanitizer's own stacks have 32, and must not be left: it would warn.
constexpr size_t small_bytes = size_t{32} << 10;

StackRoom room;  // where a handler needed it
std::atomic<bool> taken = false;

bool is_small(const stack_t& stack) {
  const char here = 0;
  const auto* const begin = static_cast<const char*>(stack.ss_sp);
  return !(stack.ss_flags & SS_DISABLE) && stack.ss_size < small_bytes && &here >= begin &&
         &here < begin + stack.ss_size;
}

}  // namespace

void run_with_room(const void* context, void (*run)(void*), void* subject) {
  const bool moves = is_small(static_cast<const ucontext_t*>(context)->uc_stack) && !taken.exchange(true);
  if (!moves) return run(subject);
  if (!room.begin) room = get_stack_room(handler_stack_bytes);
  if (room.begin) {
    sigset_t
        every_signal;  // another's handler would begin where the kernel takes the handlers' stack to be free
    sigfillset(&every_signal);
    run_in(room, run, subject, &every_signal);
  } else {
    run(subject);
  }
  taken = false;
}

}  // namespace atrium
