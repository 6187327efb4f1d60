// Passes oshrun's standard input on to the PE that reads it.
// SPDX-License-Identifier: BSD-3-Clause
//
// One PE that reads a file or a pipe simply inherits it. oshrun copies only where that cannot work: from a
// terminal (PEs are in the background, and may not read it) and to several PEs.
#pragma once

#include "launch/cli/options.hpp"
#include "launch/io/fed_input.hpp"
#include "launch/io/standard_input.hpp"

namespace atrium {

class Input final : public PeInput {
 public:
  Input(Loop& loop, const PeSet& readers, bool terminal_is_taken);

  int stream_of(int pe) override;
  void start() override { copies_.start(); }
  void drop(int pe) override { copies_.drop(pe); }
  // Reads on, as far as readers want it and the terminal allows it.
  void pump() { source_.pump(); }

 private:
  const PeSet readers_;
  bool inherit_;  // directly; otherwise through pipes of ours
  FedInput copies_;
  StandardInput source_;
};

}  // namespace atrium
