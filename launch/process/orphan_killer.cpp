// Waits for the death of its parent, then kills until nothing is left.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/orphan_killer.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "atrium_system.hpp"
#include "core/log.hpp"
#include "launch/process/descriptors.hpp"
#include "lobby/lobby.hpp"
#include "os/process_stat.hpp"

namespace atrium {
namespace {

constexpr char name[] = "oshrun-orphans";  // of the process, at most 15 letters
constexpr int most_replacements = 100;     // whoever kills all of them does so on purpose
constexpr int clean_rounds = 2;            // a process that is just being made may be missed once
constexpr int most_rounds = 200;
constexpr useconds_t round_us = 10'000;

bool kill_all_with(const std::string& variable) {
  bool found = false;
  for (const pid_t pid : numbers_in("/proc")) {
    // One of another job, started by a PE of this one, has processes of its own to kill.
    if (pid == getpid() || !has_variable(pid, variable) || is_orphan_killer(pid)) continue;
    found = true;
    kill(pid, SIGKILL);
  }
  return found;
}

}  // namespace

bool is_orphan_killer(pid_t process) { return has_name(process, name); }

OrphanKiller::OrphanKiller(size_t pes, const JobSegment& segment, const std::string& job_id)
    : count_(pes), segment_(segment), mark_(std::string(job_variable::id) + "=" + job_id) {
  void* memory =
      mmap(nullptr, pes * sizeof(*groups_), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fatal(system_error("cannot prepare the job", "mmap"));
  groups_ = static_cast<std::atomic<pid_t>*>(memory);
}

void OrphanKiller::start() {
  const pid_t launcher = getpid();
  pid_ = fork();  // without one (too many processes) the parent-death signal still works
  if (pid_ == 0) keep(launcher);
}

void OrphanKiller::replace() {
  pid_ = -1;
  if (replacements_++ < most_replacements) start();
}

// Was a process killed that may not have ended yet?
bool OrphanKiller::kill_what_is_left() const {
  bool found = false;
  for (size_t i = 0; i < count_; ++i) {
    const pid_t group = groups_[i].load(std::memory_order_relaxed);
    if (group > 0 && kill(-group, SIGKILL) == 0) found = true;
    const pid_t program = segment_.marked_pid(static_cast<int>(i));
    if (program > 0 && kill(program, SIGKILL) == 0) found = true;
  }
  return kill_all_with(mark_) || found;
}

void OrphanKiller::keep(pid_t launcher) const {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  setsid();  // out of reach of the terminal and of signals to oshrun's group
  prctl(PR_SET_NAME, name);
  prctl(PR_SET_PDEATHSIG, SIGHUP);  // oshrun has one thread
  close_all_but(segment_.fds());
  while (getppid() == launcher) sigwaitinfo(&all, nullptr);
  for (int round = 0, clean = 0; round < most_rounds && clean < clean_rounds; ++round) {
    clean = kill_what_is_left() ? 0 : clean + 1;
    usleep(round_us);
  }
  segment_.remove_leftovers();
  _exit(0);
}

void OrphanKiller::dismiss() {
  if (pid_ <= 0) return;
  if (kill(pid_, SIGKILL) == 0) waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

}  // namespace atrium
