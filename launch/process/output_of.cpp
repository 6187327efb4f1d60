// Runs a short command and collects what it writes into one pipe.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/output_of.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "atrium_pipe.hpp"
#include "launch/process/program.hpp"
#include "launch/process/spawn.hpp"

namespace atrium {

Result<std::string> output_of(const std::vector<std::string>& command) {
  const std::string what = "cannot run " + command.front();
  const Program program = find_program(command.front());
  if (program.refusal)
    return Error{what, program.refusal->error.what + ": " + program.refusal->error.because, {}, {}};
  Pipe output;
  if (!output.open()) return system_error(what, "pipe");
  Child child;
  child.path = program.path;
  child.words = command;
  child.environment = environ;
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  child.streams[0] = nothing, child.streams[1] = output.to_write(), child.streams[2] = STDERR_FILENO;
  SpawnFailure why;
  const pid_t pid = spawn(child, why);
  const int error = errno;
  ::close(nothing);
  output.close_to_write();
  const std::string text = read_to_end(output.to_read());
  errno = error;
  if (pid < 0) return system_error(what, program.path.c_str());
  const int status = wait_for_end(pid);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  return Error{what,
               command.front() + " failed with status " +
                   std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)),
               {},
               {}};
}

}  // namespace atrium
