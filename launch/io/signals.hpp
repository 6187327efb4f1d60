// Signals to oshrun, as events of the loop.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>

#include <functional>

#include "launch/io/loop.hpp"

namespace atrium {

struct Arrival {
  int signal;
  bool from_terminal;  // a key was pressed, and all processes in the foreground got it
};

// First of all: a question (SIGUSR1, SIGUSR2) that comes before the job is there waits for it instead of ending oshrun,
// a write that fails says why instead of ending it, and children can be waited for.
void prepare_signals();

class Signals final : public Watcher {
 public:
  Signals(Loop& loop, std::function<void(Arrival)> on_signal);

  void on_ready() override;

 private:
  std::function<void(Arrival)> on_signal_;
  int fd_ = -1;
};

// What was in force before all that, for the PEs. Async-signal-safe.
void restore_signals();

// Ends this process by the signal itself, so that a shell sees that the user interrupted it.
[[noreturn]] void die_by(int signal);

}  // namespace atrium
