// Starts the command that reaches another host, as one process with two or three pipes.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/host_command.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "atrium_pipe.hpp"
#include "launch/hosts/agent_command.hpp"
#include "launch/process/own_commands.hpp"
#include "launch/process/program.hpp"
#include "launch/process/spawn.hpp"

namespace atrium {
namespace {

constexpr useconds_t between_looks_us = 5'000;

pid_t spawn_command(const std::string& path, const std::vector<std::string>& words, const int (&streams)[3]) {
  std::vector<char*> environment = environment_for(words);
  Child child;
  child.path = path;
  child.words = words;
  child.environment = environment.data();
  child.has_own_session = true;
  for (int stream = 0; stream < 3; ++stream) child.streams[stream] = streams[stream];
  SpawnFailure why;
  return spawn(child, why);
}

}  // namespace

Result<HostCommand::Streams> HostCommand::start(const std::vector<std::string>& words, bool keeps_errors) {
  const Program program = find_program(words.front());
  if (program.refusal)
    return Error{"",
                 program.refusal->error.what + ": " + program.refusal->error.because,
                 {},
                 "installing it, or --agent COMMAND with another one"};
  Pipe input, output, errors;
  if (!input.open() || !output.open() || (keeps_errors && !errors.open()))
    return system_error("", "pipe").try_this("a higher limit on open files (ulimit -n)");
  const int nowhere = keeps_errors ? -1 : ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  pid_ = spawn_command(program.path, words,
                       {input.to_read(), output.to_write(), keeps_errors ? errors.to_write() : nowhere});
  const int error = errno;
  if (nowhere >= 0) ::close(nowhere);
  errno = error;
  if (pid_ < 0) return system_error("", program.path.c_str());
  has_started_ = true;
  add_own_command(pid_);
  return Streams{input.take_to_write(), output.take_to_read(), keeps_errors ? errors.take_to_read() : -1};
}

bool HostCommand::ends_by(std::chrono::steady_clock::time_point end, int& status) {
  while (pid_ > 0) {
    if (const auto ended = take_status(pid_)) return status = *ended, pid_ = -1, true;
    if (std::chrono::steady_clock::now() >= end) break;
    ::usleep(between_looks_us);
  }
  return false;
}

void HostCommand::kill() const {
  if (pid_ > 0 && has_number(pid_)) ::kill(-pid_, SIGKILL);
}

void HostCommand::end() {
  if (pid_ < 0) return;
  kill();
  wait_for(pid_);
  pid_ = -1;
}

}  // namespace atrium
