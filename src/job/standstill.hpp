// Finds out whether this process can do anything but wait for other PEs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "os/threads.hpp"

namespace atrium {

// A process stands still if only other PEs can make it go on: each of its threads waits for them, or for another of its threads,
// and no signal handler, debugger or child process can wake one.
//
// Threads are sampled one after the other, so one sample proves nothing if there are several: a thread that was found asleep may
// have been woken by the next one before that fell asleep. Two samples prove it if no thread was awake between them.
class Standstill {
 public:
  // `waiting`: the threads that have waited for other PEs at least since the last call, or since forget().
  bool look(std::vector<pid_t> waiting);
  void forget() { before_.clear(); }

 private:
  std::vector<ThreadSample> before_;  // the others, at the last look, if all slept
};

}  // namespace atrium
