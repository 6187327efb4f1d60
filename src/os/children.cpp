// Lists the living children of this process, and of others.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/children.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "atrium_system.hpp"
#include "os/process_stat.hpp"
#include "os/threads.hpp"

namespace atrium {

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  for (const pid_t pid : numbers_in("/proc"))
    if (stat_of(pid).parent == parent) children.push_back(pid);
  return children;
}

namespace {

std::vector<pid_t> listed_children() {
  std::vector<pid_t> children;
  for (const pid_t thread : thread_ids()) {
    const std::string list = read_small_file("/proc/self/task/" + std::to_string(thread) + "/children");
    char* end = nullptr;
    for (const char* at = list.c_str(); const long pid = std::strtol(at, &end, 10); at = end)
      children.push_back(static_cast<pid_t>(pid));
  }
  return children;
}

}  // namespace

std::vector<pid_t> uncollected_children() {
  std::vector<pid_t> children = listed_children();
  return children.empty() ? children_of(getpid()) : children;  // of kernels without the lists
}

std::vector<pid_t> living_children() {
  std::vector<pid_t> children = uncollected_children();
  std::erase_if(children, [](pid_t child) { return stat_of(child).ends; });
  return children;
}

// The call finds one that has ended before one that lives.
bool has_living_child() {
  siginfo_t found{};
  if (waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0) return errno != ECHILD;
  return found.si_pid == 0 || !living_children().empty();
}

}  // namespace atrium
