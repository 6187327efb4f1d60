// A handler that repairs the faults of wrong PE numbers.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/guard_faults.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string>

#include "check/caller.hpp"
#include "check/check.hpp"
#include "os/memcheck.hpp"
#include "os/page.hpp"
#include "os/program_counter.hpp"
#include "shmem/types.h"

namespace atrium {
namespace {

// Past the C library: thread sanitizer stands before that, notes down the handler and puts a wrapper into the kernel.
// Both must be put back, or its own handler would be wrapped.
bool set_in_kernel(int signal, const void* action, void* old) {
  return syscall(SYS_rt_sigaction, signal, action, old, _NSIG / 8) == 0;
}

// A number that is wrong ends the job; only shmem_ptr may ask on. And who writes here, whom a page of AWAY does not
// help, faults for good after so many times.
constexpr int most = 256;

Guarded guarded{};
const ptrdiff_t* of_pe_0 = nullptr;
struct sigaction previous {};
unsigned long previous_in_kernel[8];  // of a struct of four words
std::atomic<int> answered = 0;

// Filled elsewhere and put there as a whole, because another thread may read it at any time.
bool show_away_at(std::byte* page) {
  const size_t bytes = page_size();
  void* made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return false;
  std::fill_n(static_cast<ptrdiff_t*>(made), bytes / sizeof(ptrdiff_t), ATRIUM_AWAY);
  return mprotect(made, bytes, PROT_READ) == 0 &&
         mremap(made, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, page) != MAP_FAILED;
}

// Is it the guard's, or where a small negative number leads as an `unsigned`, and a ulimit -v leaves no room for a guard?
bool is_of_a_wrong_number(const siginfo_t& info) {
  const auto address = reinterpret_cast<uintptr_t>(info.si_addr);
  if (info.si_code == SEGV_ACCERR)
    return address - reinterpret_cast<uintptr_t>(guarded.begin) < guarded.bytes;
  constexpr uintptr_t slips = 1 << 16, numbers = uintptr_t{1} << 32;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(of_pe_0) + (numbers - slips) * sizeof(ptrdiff_t);
  return info.si_code == SEGV_MAPERR && address - begin < slips * sizeof(ptrdiff_t);
}

bool answer(const siginfo_t& info) {
  if (!is_of_a_wrong_number(info) || answered.fetch_add(1) >= most) return false;
  return show_away_at(static_cast<std::byte*>(info.si_addr) -
                      reinterpret_cast<uintptr_t>(info.si_addr) % page_size());
}

// The context's first member is its deltas, which inlined code reads first. Such code holds no lock of the C library's, so
// that a message can be made here.
void tell_invalid_context(const void* context) {
  if (const std::string call = describe_inlined_call(program_counter(context)); !call.empty())
    refuse_context_in(call);
  constexpr char text[] =
      "atrium: note: a fault at address 0: SHMEM_CTX_INVALID as a context, or else a null pointer\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
}

// The instruction will fault again, for the handler that was there before or for a core file; what somebody sent
// must be sent again.
void pass_on(int signal, const siginfo_t& info) {
  sigaction(signal, &previous, nullptr);
  set_in_kernel(signal, previous_in_kernel, nullptr);
  if (info.si_code <= 0) raise(signal);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  if (!answer(*info)) {
    if (info->si_code == SEGV_MAPERR && !info->si_addr) tell_invalid_context(context);
    pass_on(signal, *info);
  }
  errno = error;
}

}  // namespace

void answer_faults_in(Guarded table, const ptrdiff_t* entry_of_pe_0) {
  if (under_memcheck())
    return;  // its registers are not exact when a handler returns; it says where by itself
  guarded = table;
  of_pe_0 = entry_of_pe_0;
  struct sigaction action {};
  if (sigaction(SIGSEGV, nullptr, &action) != 0) return;
  if ((action.sa_flags & SA_SIGINFO) && action.sa_sigaction == on_fault) return;
  if (!set_in_kernel(SIGSEGV, nullptr, previous_in_kernel)) return;
  previous = action;
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, nullptr);
}

}  // namespace atrium
