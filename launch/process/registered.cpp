// Watches, by pidfds, the programs that scripts under oshrun have started.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/registered.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/life_mark.hpp"
#include "os/process_stat.hpp"

namespace atrium {
namespace {

constexpr int most_generations = 64;  // of scripts between oshrun and the program

int open_pidfd(pid_t pid) { return static_cast<int>(syscall(SYS_pidfd_open, pid, 0U)); }

// Where the mark is missing: a stranger who has got the number of a process that ended has other ancestors. (Orphans
// are children of oshrun.)
bool is_of_this_job(pid_t pid) {
  for (int i = 0; i < most_generations && pid > 0; ++i, pid = stat_of(pid).parent)
    if (pid == getpid()) return true;
  return false;
}

}  // namespace

class Registered::Program final : public Watcher {
 public:
  Program(Registered& all, int pe, pid_t pid, int pidfd) : pid(pid), all_(all), pe_(pe), pidfd_(pidfd) {}
  ~Program() { close(pidfd_); }

  // A pidfd is readable when its process has ended.
  void on_ready() override {
    all_.loop_.forget(pidfd_);
    all_.on_gone_(pe_);
  }
  void send(int signal) const { syscall(SYS_pidfd_send_signal, pidfd_, signal, nullptr, 0U); }

  const pid_t pid;

 private:
  Registered& all_;
  int pe_;
  int pidfd_;
};

Registered::Registered(Loop& loop, const JobSegment& segment, int pes, std::function<void(int)> on_gone)
    : loop_(loop),
      segment_(segment),
      on_gone_(std::move(on_gone)),
      programs_(static_cast<size_t>(pes)),
      settled_(static_cast<size_t>(pes)) {}

Registered::~Registered() = default;

bool Registered::open(int pe, pid_t pid, pid_t mark) {
  const int pidfd = open_pidfd(pid);
  if (pidfd < 0) return false;
  auto& program = programs_[static_cast<size_t>(pe)];
  program = std::make_unique<Program>(*this, pe, pid, pidfd);
  // The number may have changed hands before it was opened.
  const bool right = segment_.marked_pid(pe) == mark;
  if (right && loop_.watch(pidfd, EPOLLIN, *program)) return true;
  program.reset();
  return false;
}

void Registered::check(int pe, pid_t started) {
  const auto index = static_cast<size_t>(pe);
  const PeState state = segment_.state(pe);
  if (settled_[index] || (state != PeState::running && state != PeState::explained)) return;
  const pid_t marked = segment_.marked_pid(pe), registered = segment_.registered_pid(pe);
  if (marked == started || registered == started) {
    settled_[index] = true;
  } else if (marked != 0) {
    settled_[index] = open(pe, marked, marked);
  } else if (registered != 0) {
    settled_[index] = true;
    // Alive without a mark: it has closed its descriptors.
    if (!is_of_this_job(registered) || !open(pe, registered, 0)) on_gone_(pe);
  }
}

pid_t Registered::program(int pe, pid_t started) const {
  const auto& program = programs_[static_cast<size_t>(pe)];
  return program ? program->pid : started;
}

bool Registered::signal(int pe, int signal) const {
  const auto& program = programs_[static_cast<size_t>(pe)];
  if (program) program->send(signal);
  return program != nullptr;
}

}  // namespace atrium
