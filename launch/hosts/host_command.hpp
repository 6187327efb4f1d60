// A command that reaches another host, such as ssh: a process with pipes for its standard streams.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace atrium {

class HostCommand {
 public:
  HostCommand() = default;
  HostCommand(const HostCommand&) = delete;
  HostCommand& operator=(const HostCommand&) = delete;
  ~HostCommand() { end(); }

  // Our ends of the pipes, the caller's to close.
  struct Streams {
    int input = -1;
    int output = -1;
    int errors = -1;
  };
  // Once. It has a session of its own: the user's Ctrl-C is oshrun's to pass on, and ssh that wants to know a password says so
  // instead of asking the terminal, where the kernel would stop it in front of its question.
  Result<Streams> start(const std::vector<std::string>& words, bool keeps_errors);

  bool has_started() const { return has_started_; }
  // Whether it is over by then; once, since it is reaped. `status`: as waitpid has it.
  bool ends_by(std::chrono::steady_clock::time_point end, int& status);
  // With all that it has started, if it still runs.
  void kill() const;
  void end();

 private:
  bool has_started_ = false;
  pid_t pid_ = -1;  // not reaped yet
};

}  // namespace atrium
