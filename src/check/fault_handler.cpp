// The one handler of faults, in front of the handler that was there before.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/fault_handler.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>

#include "check/caller.hpp"
#include "check/check.hpp"
#include "check/foreign_address.hpp"
#include "check/guard_faults.hpp"
#include "check/stray_access.hpp"
#include "core/forked_child.hpp"
#include "lobby/lobby.hpp"
#include "os/larger_stack.hpp"
#include "os/memcheck.hpp"
#include "os/program_counter.hpp"

namespace atrium {
namespace {

// Past the C library: thread sanitizer stands before that, notes down the handler and puts a wrapper into the kernel.
// Both must be put back, or its own handler would be wrapped.
bool set_in_kernel(int signal, const void* action, void* old) {
  return syscall(SYS_rt_sigaction, signal, action, old, _NSIG / 8) == 0;
}

// The handlers that were there before.
struct Taken {
  int signal;
  struct sigaction previous;
  unsigned long previous_in_kernel[8];  // of a struct of four words
};
Taken taken[] = {{SIGSEGV, {}, {}}, {SIGBUS, {}, {}}};

// The context's first member is its deltas, which inlined code reads first. Such code holds no lock of the C library's, so
// that a message can be made here.
void report_invalid_context(const siginfo_t& info, const void* context) {
  if (!checking() || info.si_code != SEGV_MAPERR || info.si_addr) return;
  if (const std::string call = describe_inlined_call(program_counter(context)); !call.empty())
    refuse_context_in(call);
  constexpr char text[] =
      "atrium: note: a fault at address 0: SHMEM_CTX_INVALID as a context, or else a null pointer\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
}

// The instruction will fault again, for the handler that was there before or for a core file; a signal that was sent
// must be sent again, in his name.
void pass_on(int signal, const siginfo_t& info) {
  for (const Taken& one : taken) {
    if (one.signal != signal) continue;
    sigaction(signal, &one.previous, nullptr);
    set_in_kernel(signal, one.previous_in_kernel, nullptr);
  }
  if (info.si_code <= 0) syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), signal, &info);
}

struct FaultToExplain {
  const siginfo_t& info;
  void* context;
};

// Returns if it is none of ours.
void explain(void* subject) {
  const auto& [info, context] = *static_cast<const FaultToExplain*>(subject);
  refuse_stray_access(info, context);
  report_invalid_context(info, context);
  explain_foreign_address(info, context);
}

std::atomic<uint32_t>* noted_in = nullptr;

void note(FaultWatch what) {
  if (noted_in && !is_forked_child()) noted_in->store(static_cast<uint32_t>(what), std::memory_order_relaxed);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  if (signal != SIGSEGV || !answer_wrong_number(*info)) {
    note(FaultWatch::begun);
    FaultToExplain fault{*info, context};
    run_with_room(context, explain, &fault);
    pass_on(signal, *info);
  }
  errno = error;
}

void take(Taken& one) {
  struct sigaction action {};
  if (sigaction(one.signal, nullptr, &action) != 0) return;
  if ((action.sa_flags & SA_SIGINFO) && action.sa_sigaction == on_fault) return;
  if (!set_in_kernel(one.signal, nullptr, one.previous_in_kernel)) return;
  one.previous = action;
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(one.signal, &action, nullptr);
}

}  // namespace

void note_faults_in(std::atomic<uint32_t>& word) { noted_in = &word; }

void take_faults() {
  if (under_memcheck())
    return;  // its registers are not exact when a handler returns; it says where by itself
  for (Taken& one : taken) take(one);
  note(FaultWatch::ready);
}

}  // namespace atrium
