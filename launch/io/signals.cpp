// Receives signals to oshrun through a signalfd. The signals of failed writes are ignored, since the write itself returns the error.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/signals.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <iterator>

#include "core/log.hpp"

namespace atrium {
namespace {

constexpr int handled[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

bool is_ignored(int signal) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

// Of a pipe without a reader, and of a file that must not grow (ulimit -f).
constexpr int failed_writes[] = {SIGPIPE, SIGXFSZ};

// What was in force when oshrun began.
sigset_t mask_at_start;
struct sigaction write_actions_at_start[std::size(failed_writes)];

}  // namespace

void prepare_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, &mask_at_start);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (size_t i = 0; i < std::size(failed_writes); ++i)
    sigaction(failed_writes[i], &ignore, &write_actions_at_start[i]);
  signal(SIGCHLD, SIG_DFL);  // where it is ignored, no child can be waited for
}

void restore_signals() {
  for (size_t i = 0; i < std::size(failed_writes); ++i)
    sigaction(failed_writes[i], &write_actions_at_start[i], nullptr);
  sigprocmask(SIG_SETMASK, &mask_at_start, nullptr);
}

Signals::Signals(Loop& loop, std::function<void(Arrival)> on_signal) : on_signal_(std::move(on_signal)) {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : handled)
    if (!is_ignored(signal)) sigaddset(&set, signal);  // nohup and & stay in force
  constexpr const char* what = "cannot prepare the job";
  if (sigprocmask(SIG_BLOCK, &set, nullptr) != 0) fatal(system_error(what, "sigprocmask"));
  fd_ = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  if (fd_ < 0) fatal(system_error(what, "signalfd"));
  if (!loop.watch(fd_, EPOLLIN, *this)) fatal(system_error(what, "epoll_ctl"));
}

void Signals::on_ready() {
  signalfd_siginfo info;
  while (read(fd_, &info, sizeof info) == sizeof info)
    on_signal_({static_cast<int>(info.ssi_signo), info.ssi_code == SI_KERNEL});
}

void die_by(int signal_number) {
  signal(signal_number, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal_number);
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
  raise(signal_number);
  _exit(128 + signal_number);  // the first process of a container does not end by itself
}

}  // namespace atrium
