// Passes oshrun's standard input on to the PE that reads it.
// SPDX-License-Identifier: BSD-3-Clause
//
// One PE that reads a file or a pipe simply inherits it. oshrun copies only where that cannot work: from a
// terminal (PEs are in the background, and may not read it) and to several PEs.
#pragma once

#include <optional>

#include "launch/cli/options.hpp"
#include "launch/io/fed_input.hpp"
#include "launch/io/standard_input.hpp"

namespace atrium {

class Input final : public PeInput {
 public:
  Input(Loop& loop, const PeSet& readers, bool terminal_is_taken);

  int stream_of(int pe) override;
  void start() override;
  void drop(int pe) override { copies_.drop(pe); }
  // Reads on, as far as readers want it and the terminal allows it.
  void pump();

 private:
  Loop& loop_;
  const PeSet readers_;
  bool inherit_;  // directly; otherwise through pipes of ours
  FedInput copies_;
  std::optional<StandardInput> source_;  // once all PEs have their pipes
};

}  // namespace atrium
