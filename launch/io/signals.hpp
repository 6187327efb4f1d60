// Signals to oshrun, as events of the loop.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>

#include <functional>

#include "launch/io/loop.hpp"

namespace atrium {

struct Arrival {
  int signal;
  bool from_terminal;  // a key was pressed, and everybody in the foreground got it
};

// First of all: a question (SIGUSR1, SIGUSR2) that comes before the job is there waits for it instead of ending oshrun.
void hold_questions();

class Signals final : public Watcher {
 public:
  Signals(Loop& loop, std::function<void(Arrival)> on_signal);

  void on_ready() override;
  // What was in force before, for the PEs.
  const sigset_t& original_mask() const { return original_mask_; }
  const struct sigaction& original_pipe_action() const { return original_pipe_action_; }

 private:
  std::function<void(Arrival)> on_signal_;
  sigset_t original_mask_{};
  struct sigaction original_pipe_action_ {};
  int fd_ = -1;
};

// Ends this process by the signal itself, so that a shell sees that the user interrupted it.
void die_by(int signal);

}  // namespace atrium
