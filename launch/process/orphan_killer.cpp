// Waits for the death of its parent, then kills process groups.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/orphan_killer.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "core/log.hpp"

namespace atrium {
namespace {

// An open pipe end here would keep readers of oshrun's output waiting.
void close_everything() {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 0U, ~0U, 0U) == 0) return;
#endif
  for (long fd = sysconf(_SC_OPEN_MAX); fd-- > 0;) close(static_cast<int>(fd));
}

}  // namespace

OrphanKiller::OrphanKiller(size_t groups) : count_(groups) {
  void* memory =
      mmap(nullptr, groups * sizeof(*groups_), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fatal(system_error("cannot prepare the job", "mmap"));
  groups_ = static_cast<std::atomic<pid_t>*>(memory);
}

void OrphanKiller::start() {
  const pid_t launcher = getpid();
  pid_ = fork();  // without one (too many processes) the parent-death signal still works
  if (pid_ == 0) keep(launcher);
}

void OrphanKiller::keep(pid_t launcher) const {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  setsid();  // out of reach of the terminal and of signals to oshrun's group
  prctl(PR_SET_NAME, "oshrun-orphans");
  prctl(PR_SET_PDEATHSIG, SIGHUP);
  close_everything();
  while (getppid() == launcher) sigwaitinfo(&all, nullptr);
  for (size_t i = 0; i < count_; ++i)
    if (const pid_t group = groups_[i].load(std::memory_order_relaxed); group > 0) kill(-group, SIGKILL);
  _exit(0);
}

void OrphanKiller::dismiss() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

}  // namespace atrium
