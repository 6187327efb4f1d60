// What the kernel says of a process in /proc.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <string>

namespace atrium {

struct ProcessStat {
  char state = '?';   // R runs, S and D sleep, T and t are stopped, Z has ended; '?' there is no such process
  pid_t parent = -1;  // -1 when there is no such process
  std::string name;   // of what it runs, at most 15 letters
  bool ends = true;   // has begun to end, and lost its descriptors perhaps, or has ended
};

ProcessStat stat_of(pid_t pid);

// Whether it is called so, in at most 15 letters.
bool has_name(pid_t pid, const std::string& name);

// Whether "NAME=VALUE" was in the environment with which it was started.
bool has_variable(pid_t pid, const std::string& variable);

// Whether a signal that ends a process by default would not end this one: it catches or ignores it, or has blocked it
// and reads it from a signalfd. A mask that blocks it says nothing: the C library blocks all signals for moments.
bool takes_signal(pid_t pid, int signal);

}  // namespace atrium
