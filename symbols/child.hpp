// A child that may crash, hang or find the heap locked in its parent's place.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>

namespace atrium {

// Calls work(subject) in a child, which ends with status 0 if that is true, else with 1. As by fork(), but no handlers of fork() run
// (they would copy the arena), signals end the child, and it is given up after ten seconds: what it waits for may be a lock that
// another thread of its parent held. It asks no servers (DEBUGINFOD_URLS). It has a stack of its own, because a signal handler may be
// on a small one of the program's, and libdw takes a deep one. -1: there is no child.
pid_t begin_child(bool (*work)(const void* subject), const void* subject);

template <class Work>
pid_t begin_child(const Work& work) {
  return begin_child([](const void* subject) -> bool { return (*static_cast<const Work*>(subject))(); },
                     &work);
}

// Waits for it. Whether it ended with 0; false for none (-1).
bool ended_well(pid_t child);

// What `work` answers in a child. For a signal handler, too: only the child does anything that needs the heap.
template <class Work>
bool done_by_child(const Work& work) {
  return ended_well(begin_child(work));
}

// libdw takes a deep one.
inline constexpr size_t look_up_stack_bytes = size_t{1} << 20;

// All that `work` writes into the descriptor it is given, in a child.
std::string output_of_child(const std::function<void(int)>& work);

// For a child that becomes a program: what that prints goes into `fd`, and its errors nowhere.
void print_only_into(int fd);

}  // namespace atrium
