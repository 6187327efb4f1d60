// Reads the state of the guarded process in /proc each second.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/guard.hpp"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "os/process_stat.hpp"
#include "os/small_file.hpp"

namespace atrium {
namespace {

constexpr char name[] = "oshrun-guard";  // of the process, at most 15 letters
constexpr int look_every_ms = 1000;
constexpr int most_stopped_looks = 7;  // a little longer than a host may be silent by default
constexpr useconds_t polite_rest_us = 500'000;

// What oshrun and its guard know of each other.
struct Shared {
  std::atomic<bool> suspended{false}, agents_ended{false};
};
Shared* shared = nullptr;

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  DIR* processes = opendir("/proc");
  while (const dirent* entry = processes ? readdir(processes) : nullptr) {
    const pid_t pid = std::atoi(entry->d_name);  // 0 for what is no process
    if (pid > 0 && stat_of(pid).parent == parent) children.push_back(pid);
  }
  if (processes) closedir(processes);
  return children;
}

struct Guarded {
  pid_t process;
  int pidfd;  // -1: it cannot be guarded
  int most_looks;
};

// Whether it has been stopped for so long; false: it has ended.
bool is_stopped_for_long(const Guarded& guarded) {
  pollfd gone{guarded.pidfd, POLLIN, 0};
  for (int looks = 0; looks < guarded.most_looks;) {
    if (poll(&gone, 1, look_every_ms) != 0) return false;
    const bool excused = shared && shared->suspended;
    looks = !excused && stat_of(guarded.process).state == 'T' ? looks + 1 : 0;
  }
  return true;
}

// What the agent's PEs have then is the orphan killer's.
void kill_agent(const Guarded& agent) { syscall(SYS_pidfd_send_signal, agent.pidfd, SIGKILL, nullptr, 0U); }

// Each has a session of its own. An agent that srun has started hears of the first signal only.
void end_commands(const Guarded& oshrun) {
  shared->agents_ended = true;
  for (const int signal : {SIGTERM, SIGKILL}) {
    for (const pid_t command : children_of(oshrun.process)) kill(-command, signal);
    usleep(polite_rest_us);
  }
}

[[noreturn]] void guard(pid_t process, int most_looks, void (*act)(const Guarded&)) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  setsid();
  prctl(PR_SET_NAME, name);
  const Guarded guarded{process, static_cast<int>(syscall(SYS_pidfd_open, process, 0U)), most_looks};
  for (int fd = 0; fd < 256; ++fd)  // an open end of a pipe would keep the other oshrun waiting
    if (fd != guarded.pidfd) close(fd);
  if (guarded.pidfd >= 0 && is_stopped_for_long(guarded)) act(guarded);
  _exit(0);
}

// Not a child of the guarded process, which would be one that a PE has left behind.
void start_guard(int most_looks, void (*act)(const Guarded&)) {
  const pid_t guarded = getpid();
  const pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) guard(guarded, most_looks, act);
    _exit(0);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

}  // namespace

void start_guard_of_agent() { start_guard(most_stopped_looks, kill_agent); }

void start_guard_of_oshrun(int limit_s) {
  if (limit_s == 0) return;
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;  // its agents give it up by their clocks
  shared = new (memory) Shared;
  start_guard(limit_s, end_commands);
}

void set_suspended(bool suspended) {
  if (shared) shared->suspended = suspended;
}

bool agents_were_ended_by_guard() { return shared && shared->agents_ended; }

bool is_guard(pid_t process) {
  return read_small_file("/proc/" + std::to_string(process) + "/comm") == std::string(name) + "\n";
}

}  // namespace atrium
