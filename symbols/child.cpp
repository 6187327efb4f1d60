// Makes the child by a bare clone, and reads its pipe until it has ended.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>

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

void run_and_exit(const void* work) {
  (*static_cast<const std::function<void()>*>(work))();
  _exit(0);
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

// Of a child, or, in a static program, of its parent, which crashes: makecontext passes no pointers, and a context is too large for
// a small stack.
static ucontext_t on_deep_stack;
static void (*run_on_deep_stack)(const void*);
static const void* subject_on_deep_stack;

void end_on_deep_stack(void (*run)(const void*), const void* subject) {
  constexpr size_t bytes = size_t{1} << 20;
  void* const stack = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  run_on_deep_stack = run;
  subject_on_deep_stack = subject;
  if (stack != MAP_FAILED && getcontext(&on_deep_stack) == 0) {
    on_deep_stack.uc_stack = {stack, 0, bytes};
    on_deep_stack.uc_link = nullptr;
    makecontext(
        &on_deep_stack, [] { run_on_deep_stack(subject_on_deep_stack); }, 0);
    setcontext(&on_deep_stack);
  }
  run(subject);
  _exit(1);
}

bool ended_well(pid_t child) { return wait_for_end(child) == 0; }

std::string output_of_child(const std::function<void(int)>& work) {
  Pipe pipe;
  if (!pipe.open()) return {};
  const pid_t child = begin_child();
  const std::function<void()> write = [&] { work(pipe.to_write()); };
  if (child == 0) end_on_deep_stack(run_and_exit, &write);
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
