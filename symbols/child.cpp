// Makes the child by clone(), and reads its pipe until it has ended.
// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/child.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

#include "atrium_larger_stack.hpp"
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

struct ChildWork {
  bool (*work)(const void*);
  const void* subject;
};

int run(void* task) {
  limit_child();
  const auto [work, subject] = *static_cast<const ChildWork*>(task);
  return work(subject) ? 0 : 1;
}

}  // namespace

// Its end sends no signal: the program may have a handler of SIGCHLD that waits for all children, or ignore it, and then the kernel
// would forget how the child has ended. (qemu-user cannot do without.) The memory of the stack is the child's once that has begun.
pid_t begin_child(bool (*work)(const void*), const void* subject) {
  const StackRoom stack = get_stack_room(look_up_stack_bytes);
  if (!stack.begin) return -1;
  char* const top = static_cast<char*>(stack.begin) + stack.bytes;
  ChildWork task{work, subject};
  pid_t child = clone(run, top, 0, &task);
  if (child < 0) child = clone(run, top, SIGCHLD, &task);
  give_back(stack);
  return child;
}

bool ended_well(pid_t child) { return wait_for_end(child) == 0; }

std::string output_of_child(const std::function<void(int)>& work) {
  Pipe pipe;
  if (!pipe.open()) return {};
  const pid_t child = begin_child([&] { return work(pipe.to_write()), true; });
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
