// Makes the child by a bare clone, and reads its pipe until it has ended.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>

#include <cstdlib>

#include "atrium_pipe.hpp"

namespace atrium {
namespace {

constexpr unsigned patience_seconds = 10;  // for gigabytes of debugging information on a slow disk

void limit_child() {
  for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGALRM}) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  alarm(patience_seconds);
  unsetenv("DEBUGINFOD_URLS");
}

pid_t clone_that_sends(int signal_at_end) {
  return static_cast<pid_t>(syscall(SYS_clone, signal_at_end, 0, 0, 0, 0));
}

}  // namespace

// Its end sends no signal: the program may have a handler of SIGCHLD that waits for all children, or ignore it, and then the kernel
// would forget how the child has ended. (qemu-user cannot do without.)
pid_t begin_child() {
  pid_t child = clone_that_sends(0);
  if (child < 0) child = clone_that_sends(SIGCHLD);
  if (child == 0) limit_child();
  return child;
}

bool ended_well(pid_t child) { return wait_for_end(child) == 0; }

std::string output_of_child(const std::function<void(int)>& work) {
  Pipe pipe;
  if (!pipe.open()) return {};
  const pid_t child = begin_child();
  if (child == 0) {
    on_deep_stack([&] { work(pipe.to_write()); });
    _exit(0);
  }
  pipe.close_to_write();
  std::string text = read_to_end(pipe.to_read());
  ended_well(child);
  return text;
}

void print_only_into(int fd) {
  dup2(fd, STDOUT_FILENO);
  dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
}

}  // namespace atrium
