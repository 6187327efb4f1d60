// What the kernel says of a process in /proc/PID/stat.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

namespace atrium {

struct ProcessStat {
  char state = '?';   // R runs, S and D sleep, T and t are stopped, Z has ended; '?' there is no such process
  pid_t parent = -1;  // -1 when there is no such process
};

ProcessStat stat_of(pid_t pid);

}  // namespace atrium
