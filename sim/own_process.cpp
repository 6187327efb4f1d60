// Runs a simulation in a child, and reads its result through a pipe.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/own_process.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "atrium_message.h"
#include "atrium_pipe.hpp"

namespace atrium::sim {
namespace {

constexpr unsigned patience_seconds = 600;  // a hang, not slowness

[[noreturn]] void answer(int pipe, const std::function<std::string()>& work) {
  ::alarm(patience_seconds);
  const std::string text = work();
  if (!atrium_write_whole(pipe, text.data(), text.size())) ::_exit(1);
  std::fflush(nullptr);
  ::_exit(0);
}

std::string describe_end(int status) {
  if (!WIFSIGNALED(status)) return "its process ended with status " + std::to_string(WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGALRM) return "it did not end within " + std::to_string(patience_seconds) + " s";
  return "its process was ended by signal " + std::to_string(WTERMSIG(status));
}

}  // namespace

Result<std::string> in_own_process(const std::string& what, const std::function<std::string()>& work) {
  Pipe pipe;
  std::fflush(nullptr);
  if (!pipe.open()) return system_error("cannot begin " + what, "pipe");
  const pid_t child = ::fork();
  if (child < 0) return system_error("cannot begin " + what, "fork");
  if (child == 0) {
    pipe.close_to_read();
    answer(pipe.to_write(), work);
  }
  pipe.close_to_write();
  std::string text = read_to_end(pipe.to_read());
  if (const int status = wait_for_end(child); status != 0)
    return Error{what + " came to a bad end", describe_end(status), "simulating", ""};
  return text;
}

}  // namespace atrium::sim
