// The list of children, from /proc.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/leftovers.hpp"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <vector>

#include "launch/process/stat.hpp"
#include "os/small_file.hpp"

namespace atrium {
namespace {

// For kernels without the list of children.
std::vector<pid_t> search_children() {
  std::vector<pid_t> children;
  DIR* processes = opendir("/proc");
  if (!processes) return children;
  while (const dirent* entry = readdir(processes)) {
    const pid_t pid = std::atoi(entry->d_name);  // 0 for what is no process
    if (pid > 0 && stat_of(pid).parent == getpid()) children.push_back(pid);
  }
  closedir(processes);
  return children;
}

std::vector<pid_t> list_children() {
  const std::string list = read_small_file("/proc/thread-self/children");
  std::vector<pid_t> children;
  char* end = nullptr;
  for (const char* at = list.c_str(); const long pid = std::strtol(at, &end, 10); at = end)
    children.push_back(static_cast<pid_t>(pid));
  return children.empty() ? search_children() : children;
}

}  // namespace

bool has_children(pid_t helper) {
  while (true) {
    const pid_t pid = waitpid(-1, nullptr, WNOHANG);
    if (pid == 0) break;
    if (pid < 0 && errno != EINTR) return false;
  }
  const std::vector<pid_t> children = list_children();
  return std::any_of(children.begin(), children.end(), [helper](pid_t pid) { return pid != helper; });
}

void signal_children(int signal, pid_t helper) {
  for (pid_t pid : list_children()) {
    if (pid == helper) continue;
    kill(pid, signal);
    kill(pid, SIGCONT);
  }
}

}  // namespace atrium
