// A small process that looks each second whether the agent has been stopped for too long, and then kills it.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/guard.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/process_stat.hpp"

namespace atrium {
namespace {

constexpr char name[] = "oshrun-guard";  // of the process, at most 15 letters
constexpr int most_stopped_looks = 7;    // a little longer than a host may be silent by default

// What the agent's PEs have then is the orphan killer's.
[[noreturn]] void guard(pid_t agent) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  setsid();
  prctl(PR_SET_NAME, name);
  const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, agent, 0U));
  for (int fd = 0; fd < 256; ++fd)  // an open end of a pipe would keep the other oshrun waiting
    if (fd != pidfd) close(fd);
  pollfd gone{pidfd, POLLIN, 0};
  for (int looks = 0; pidfd >= 0 && looks < most_stopped_looks && poll(&gone, 1, 1000) == 0;)
    looks = stat_of(agent).state == 'T' ? looks + 1 : 0;
  if (pidfd >= 0 && gone.revents == 0) syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, nullptr, 0U);
  _exit(0);
}

}  // namespace

// Not the agent's child, which would be a process that a PE has left behind.
void start_guard() {
  const pid_t agent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) guard(agent);
    _exit(0);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

}  // namespace atrium
