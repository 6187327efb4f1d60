// Samples this process twice in /proc, and checks for influences from outside, to prove that none of its threads can go on by itself.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/standstill.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "atrium_words.hpp"
#include "check/caller.hpp"
#include "job/last_output.hpp"
#include "os/children.hpp"

namespace atrium {
namespace {

// They come from what a thread does, and all of them sleep. Their handlers end the program.
constexpr int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP};

// A C library's handlers (32 and 33, profil()) and a Fortran library's, which print where the program was and end it, store
// nothing for others. Python's notes the signal for its main thread, which does not see that before its call has returned.
bool runs_no_code_of_the_program(const void* handler, bool main_waits) {
  Dl_info found{};
  if (dladdr(handler, &found) == 0 || !found.dli_fname) return false;
  const std::string name = file_name_of(found.dli_fname);
  return name.starts_with("libc.") || name.starts_with("libgfortran.") ||
         (main_waits && is_python(found.dli_fname));
}

bool may_change_it(int signal, bool main_waits) {
  struct sigaction action {};
  if (std::find(std::begin(faults), std::end(faults), signal) != std::end(faults)) return false;
  if (sigaction(signal, nullptr, &action) != 0) return false;  // the C library's own
  if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN || action.sa_handler == end_by_signal)
    return false;
  return !runs_no_code_of_the_program(reinterpret_cast<const void*>(action.sa_handler), main_waits);
}

bool a_signal_may_change_it(uint64_t caught, bool main_waits) {
  for (int signal = 1; caught != 0; ++signal, caught >>= 1)
    if ((caught & 1) != 0 && may_change_it(signal, main_waits)) return true;
  return false;
}

// Signals, a debugger, children that share its memory or send it something.
bool may_be_changed_from_outside(bool main_waits) {
  const ProcessSample process = sample_process();
  return process.is_traced || a_signal_may_change_it(process.caught_signals, main_waits) ||
         has_living_child();
}

}  // namespace

bool Standstill::look(std::vector<pid_t> waiting) {
  const bool main_waits = std::find(waiting.begin(), waiting.end(), getpid()) != waiting.end();
  const std::vector<ThreadSample> all = sample_threads();
  std::vector<ThreadSample> others;
  for (const ThreadSample& thread : all) {
    const auto found = std::find(waiting.begin(), waiting.end(), thread.id);
    if (found == waiting.end())
      others.push_back(thread);
    else
      waiting.erase(found);
  }
  const bool all_sleep = !all.empty() && waiting.empty() &&
                         std::all_of(others.begin(), others.end(),
                                     [](const ThreadSample& thread) { return thread.sleeps_until_woken; });
  const bool still = all_sleep && others == before_ && !may_be_changed_from_outside(main_waits);
  before_ = all_sleep ? others : std::vector<ThreadSample>{};
  return still;
}

}  // namespace atrium
