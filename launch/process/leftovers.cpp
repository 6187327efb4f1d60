// Finds and ends processes that the PEs have started and left behind.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/leftovers.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "os/children.hpp"
#include "os/process_stat.hpp"

namespace atrium {
bool has_children(pid_t helper) {
  while (true) {
    const pid_t pid = waitpid(-1, nullptr, WNOHANG);
    if (pid == 0) break;
    if (pid < 0 && errno != EINTR) return false;
  }
  const std::vector<pid_t> children = living_children();
  return std::any_of(children.begin(), children.end(), [helper](pid_t pid) { return pid != helper; });
}

bool has_orphans(const Pes& pes, const std::string& mark) {
  for (const pid_t child : living_children()) {
    bool is_pe = false;
    for (int pe = 0; pe < pes.count(); ++pe) is_pe = is_pe || pes.pid(pe) == child;
    if (!is_pe && has_variable(child, mark)) return true;
  }
  return false;
}

void signal_children(int signal, pid_t helper) {
  for (pid_t pid : living_children()) {
    if (pid == helper) continue;
    kill(pid, signal);
    kill(pid, SIGCONT);
  }
}

}  // namespace atrium
