// A child that may crash, hang or find the heap locked in its parent's place.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "symbols/deep_stack.hpp"

namespace atrium {

// As fork(), but no handlers of fork() run (they would copy the arena), signals end the child, and it is given up after ten
// seconds: what it waits for may be a lock that another thread of its parent held. It asks no servers (DEBUGINFOD_URLS).
pid_t begin_child();

// Waits for it. Whether it ended with 0; false for none (-1).
bool ended_well(pid_t child);

// What `work` answers in a child. For a signal handler, too: only the child does anything that needs the heap, on a stack of its own,
// because a handler may be on a small one of the program's.
template <class Work>
bool done_by_child(const Work& work) {
  const pid_t child = begin_child();
  if (child == 0) {
    on_deep_stack([&] { _exit(work() ? 0 : 1); });
    _exit(1);
  }
  return ended_well(child);
}

// All that `work` writes into the descriptor it is given, in a child.
std::string output_of_child(const std::function<void(int)>& work);

// For a child that becomes a program: what that prints goes into `fd`, and its errors nowhere.
void print_only_into(int fd);

}  // namespace atrium
