// Reads the state of the guarded process in /proc each second.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/guard.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "atrium_system.hpp"
#include "launch/process/descriptors.hpp"
#include "launch/process/inherited_children.hpp"
#include "os/children.hpp"
#include "os/process_stat.hpp"

namespace atrium {
namespace {

constexpr char name[] = "oshrun-guard";  // of the process, at most 15 letters
constexpr int look_every_ms = 1000;
constexpr int more_looks_at_agent = 1;   // its oshrun first reports that it is silent ...
constexpr int least_looks_at_agent = 7;  // ... and why, which takes a login and its looks (end_agent.hpp)
constexpr useconds_t polite_rest_us = 500'000;

// What an oshrun and its guard know of each other.
struct Shared {
  std::atomic<int> most_looks{0};  // that find it stopped; 0: any number
  std::atomic<bool> suspended{false}, agents_ended{false};
};
Shared* shared = nullptr;

struct Guarded {
  pid_t process;
  int pidfd;
};

// Whether it has been stopped for so long; false: it has ended.
bool is_stopped_for_long(const Guarded& guarded) {
  pollfd gone{guarded.pidfd, POLLIN, 0};
  for (int looks = 0;;) {
    if (poll(&gone, 1, look_every_ms) != 0) return false;
    const int most_looks = shared->most_looks;
    const bool counts = most_looks > 0 && !shared->suspended;
    looks = counts && stat_of(guarded.process).state == 'T' ? looks + 1 : 0;
    if (counts && looks >= most_looks) return true;
  }
}

// What the agent's PEs have then is the orphan killer's.
void kill_agent(const Guarded& agent) { syscall(SYS_pidfd_send_signal, agent.pidfd, SIGKILL, nullptr, 0U); }

// Each has a session of its own. An agent that srun has started gets the first signal only.
void end_commands(const Guarded& oshrun) {
  shared->agents_ended = true;
  for (const int signal : {SIGTERM, SIGKILL}) {
    for (const pid_t command : children_of(oshrun.process))
      if (!is_inherited(command)) kill(-command, signal);
    usleep(polite_rest_us);
  }
}

[[noreturn]] void guard(pid_t process, void (*act)(const Guarded&)) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  setsid();
  prctl(PR_SET_NAME, name);
  const Guarded guarded{process, static_cast<int>(syscall(SYS_pidfd_open, process, 0U))};
  if (guarded.pidfd < 0) _exit(0);
  close_all_but({guarded.pidfd});
  if (is_stopped_for_long(guarded)) act(guarded);
  _exit(0);
}

// Not a child of the guarded process, which would be one that a PE has left behind. Where there is no memory to share, the other
// end gives it up by its clocks.
void start_guard(int most_looks, void (*act)(const Guarded&)) {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  shared = new (memory) Shared;
  shared->most_looks = most_looks;
  const pid_t guarded = getpid();
  const pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) guard(guarded, act);
    _exit(0);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

int looks_at_agent(int limit_s) {
  return limit_s == 0 ? 0 : std::max(limit_s + more_looks_at_agent, least_looks_at_agent);
}

}  // namespace

void start_guard_of_agent(int limit_s) { start_guard(looks_at_agent(limit_s), kill_agent); }

void set_limit_of_agent(int limit_s) {
  if (shared) shared->most_looks = looks_at_agent(limit_s);
}

void start_guard_of_oshrun(int limit_s) {
  if (limit_s > 0) start_guard(limit_s, end_commands);
}

void set_suspended(bool suspended) {
  if (shared) shared->suspended = suspended;
}

bool agents_were_ended_by_guard() { return shared && shared->agents_ended; }

bool is_guard(pid_t process) { return has_name(process, name); }

}  // namespace atrium
