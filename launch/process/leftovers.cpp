// Finds and ends processes that the PEs have started and left behind.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/leftovers.hpp"

#include <signal.h>
#include <unistd.h>

#include <vector>

#include "launch/process/inherited_children.hpp"
#include "launch/process/own_commands.hpp"
#include "os/children.hpp"
#include "os/process_stat.hpp"

namespace atrium {
namespace {

std::vector<pid_t> children_but(pid_t helper) {
  std::vector<pid_t> children = uncollected_children();
  std::erase_if(children,
                [helper](pid_t pid) { return pid == helper || is_own_command(pid) || is_inherited(pid); });
  return children;
}

bool sees_processes() { return stat_of(getpid()).parent >= 0; }

}  // namespace

// A child that ends, and cannot be collected yet, counts: it may still have children of its own.
bool has_leftovers(pid_t helper, Pes& pes) {
  while (collect_child()) {
  }
  return sees_processes() ? !children_but(helper).empty() : pes.signal_groups(0);
}

bool has_orphans(const Pes& pes, const std::string& mark) {
  for (const pid_t child : living_children()) {
    bool is_pe = false;
    for (int pe = 0; pe < pes.count(); ++pe) is_pe = is_pe || pes.pid(pe) == child;
    if (!is_pe && has_variable(child, mark)) return true;
  }
  return false;
}

void signal_leftovers(int signal, pid_t helper, Pes& pes) {
  if (!sees_processes()) pes.signal_groups(signal), pes.signal_groups(SIGCONT);
  for (pid_t pid : children_but(helper)) {
    kill(pid, signal);
    kill(pid, SIGCONT);
  }
}

}  // namespace atrium
