// Two looks at /proc.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/standstill.hpp"

#include <signal.h>

#include <algorithm>

namespace atrium {
namespace {

// Their handlers end the program, or are no business of its waits. (32 and 33 are the C library's own.)
constexpr int harmless[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,   SIGABRT, SIGSYS,  SIGTRAP, SIGINT,
                            SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,  SIGXCPU, SIGXFSZ, SIGTSTP, SIGTTIN,
                            SIGTTOU, SIGCONT, SIGPROF, SIGWINCH, 32,      33};

bool a_signal_may_change_it() {
  uint64_t caught = caught_signals();
  for (const int signal : harmless) caught &= ~(uint64_t{1} << (signal - 1));
  return caught != 0;
}

}  // namespace

bool Standstill::look(std::vector<pid_t> waiting) {
  const std::vector<ThreadGlance> all = glance_at_threads();
  std::vector<ThreadGlance> others;
  for (const ThreadGlance& thread : all) {
    const auto found = std::find(waiting.begin(), waiting.end(), thread.id);
    if (found == waiting.end())
      others.push_back(thread);
    else
      waiting.erase(found);
  }
  const bool all_sleep = !all.empty() && waiting.empty() &&
                         std::all_of(others.begin(), others.end(),
                                     [](const ThreadGlance& thread) { return thread.sleeps_until_woken; });
  const bool still = all_sleep && others == before_ && !a_signal_may_change_it();
  before_ = all_sleep ? others : std::vector<ThreadGlance>{};
  return still;
}

}  // namespace atrium
