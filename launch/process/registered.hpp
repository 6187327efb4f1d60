// The processes that have joined the job: the program itself, where oshrun has started a script around it.
// SPDX-License-Identifier: BSD-3-Clause
//
// A script may go on, or end well, when its program has crashed: so oshrun watches the programs too, each by a pidfd
// that leads to the right process (os/life_mark.hpp says which one it is) and cannot lead to another.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "launch/io/loop.hpp"
#include "launch/process/job_segment.hpp"

namespace atrium {

class Registered {
 public:
  // `on_gone` is called once for each PE whose program has ended, unless oshrun started that process itself.
  Registered(Loop& loop, const JobSegment& segment, int pes, std::function<void(int pe)> on_gone);
  ~Registered();

  // Looks who has joined since the last time. `started` is the process that oshrun has started as that PE.
  void check(int pe, pid_t started);
  // The program of a PE as far as one knows: it, or the process that was started.
  pid_t program(int pe, pid_t started) const;
  // Sends it a signal; false where no program under a script is known.
  bool signal(int pe, int signal) const;

 private:
  class Program;

  bool open(int pe, pid_t pid, pid_t mark);

  Loop& loop_;
  const JobSegment& segment_;
  std::function<void(int)> on_gone_;
  std::vector<std::unique_ptr<Program>> programs_;
  std::vector<bool> settled_;  // nothing more to find out
};

}  // namespace atrium
