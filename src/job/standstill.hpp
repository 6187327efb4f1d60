// Can this process do anything but wait for other PEs?
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "os/threads.hpp"

namespace atrium {

// What a process that stands still does next, other PEs decide: each of its threads waits for them, or for another of
// its threads; and no handler of a signal can come in between, no debugger and no child process, that might let one go.
//
// Threads are looked at one after the other, so one look proves nothing where there are several: the one seen asleep may
// have been woken by the one seen asleep next. Two looks between which no thread has been awake do.
class Standstill {
 public:
  // `waiting`: the threads that have waited for other PEs at least since the last call, or since forget().
  bool look(std::vector<pid_t> waiting);
  void forget() { before_.clear(); }

 private:
  std::vector<ThreadSample> before_;  // the others, at the last look, if all slept
};

}  // namespace atrium
