// A table of commands, and of the ends that others have collected.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process/own_commands.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <unordered_map>

#include "core/log.hpp"

namespace atrium {
namespace {

// The commands whose status was not taken yet; nothing: not collected.
std::unordered_map<pid_t, std::optional<int>>& commands() {
  static std::unordered_map<pid_t, std::optional<int>> all;
  return all;
}

// `which`: any, if negative. 0: none of them has ended. -1: there is none.
pid_t collect(pid_t which, int& status, int flags = WNOHANG) {
  siginfo_t info{};
  const idtype_t kind = which < 0 ? P_ALL : P_PID;
  while (::waitid(kind, static_cast<id_t>(which), &info, WEXITED | flags) < 0)
    if (errno == ECHILD)
      return -1;
    else if (errno != EINTR)
      fatal(system_error("cannot follow the job", "waitid"));  // it would seem to last for ever
  status = info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0) : W_EXITCODE(0, info.si_status);
  return info.si_pid;
}

}  // namespace

void add_own_command(pid_t command) { commands()[command] = std::nullopt; }

bool is_own_command(pid_t process) { return commands().count(process) > 0; }

bool has_number(pid_t command) {
  const auto found = commands().find(command);
  return found != commands().end() && !found->second;
}

std::optional<int> take_status(pid_t command) {
  const auto found = commands().find(command);
  if (found == commands().end()) return std::nullopt;
  int status = 0;
  if (!found->second && collect(command, status) == command) found->second = status;
  const std::optional<int> taken = found->second;
  if (taken) commands().erase(found);
  return taken;
}

void wait_for(pid_t command) {
  int status = 0;
  if (has_number(command)) collect(command, status, 0);
  commands().erase(command);
}

std::optional<EndedChild> collect_child() {
  int status = 0;
  while (true) {
    const pid_t ended = collect(-1, status);
    if (ended <= 0) return std::nullopt;
    const auto command = commands().find(ended);
    if (command == commands().end()) return EndedChild{ended, status};
    command->second = status;
  }
}

std::optional<StoppedChild> collect_stopped_child() {
  siginfo_t info{};
  if (::waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG) != 0 || info.si_pid == 0) return std::nullopt;
  return StoppedChild{info.si_pid, info.si_status};
}

}  // namespace atrium
