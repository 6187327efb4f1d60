// Asks the terminal whether this process group is in its foreground.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/foreground.hpp"

#include <unistd.h>

namespace atrium {

// A terminal that is not this session's (setsid, a service, an expect script) has no foreground for us, and stops no process.
bool may_read_input() {
  if (!isatty(STDIN_FILENO)) return true;
  const pid_t foreground = tcgetpgrp(STDIN_FILENO);
  return foreground < 0 || foreground == getpgrp();
}

}  // namespace atrium
