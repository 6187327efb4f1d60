// Commands that this oshrun has started for itself, such as ssh: children that are no PEs, nor left behind by one.
// SPDX-License-Identifier: BSD-3-Clause
//
// Code that collects all children that have ended leaves the status of a command to the code that has started it.
#pragma once

#include <sys/types.h>

#include <optional>

namespace atrium {

void add_own_command(pid_t command);
bool is_own_command(pid_t process);
// Whether its number is still its own, because it was not collected.
bool has_number(pid_t command);
// Of a command that has ended, as waitpid has it, once. Nothing: it runs.
std::optional<int> take_status(pid_t command);
// Until it has ended, whatever its status is.
void wait_for(pid_t command);

struct EndedChild {
  pid_t process;
  int status;  // as waitpid has it
};
// The next child that has ended and is no command.
std::optional<EndedChild> collect_child();

struct StoppedChild {
  pid_t process;
  int signal;
};
// The next child that has been stopped since the last call.
std::optional<StoppedChild> collect_stopped_child();

}  // namespace atrium
