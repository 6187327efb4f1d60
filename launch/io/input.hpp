// Standard input for the PEs.
// SPDX-License-Identifier: BSD-3-Clause
//
// One PE that reads a file or a pipe simply inherits it. oshrun copies only where that cannot work: from a
// terminal (PEs are in the background, and may not read it) and to several PEs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "launch/cli/options.hpp"
#include "launch/io/loop.hpp"

namespace atrium {

class Input {
 public:
  Input(Loop& loop, const PeSet& readers, bool terminal_is_taken);
  ~Input();

  // The descriptor that becomes this PE's standard input; oshrun keeps owning it.
  int stream_of(int pe);
  // All PEs have theirs: starts copying.
  void start();
  // oshrun was moved to the foreground or the background.
  void follow_foreground();
  // PE `pe` has ended: nobody reads what is meant for it.
  void drop(int pe);

 private:
  class Reader;
  class Pipe;

  void read_some();
  void pump();
  bool pending() const;

  Loop& loop_;
  const PeSet& readers_;
  int nothing_;   // /dev/null
  bool copy_;     // through pipes of ours
  bool inherit_;  // directly
  std::unique_ptr<Reader> reader_;
  std::vector<std::unique_ptr<Pipe>> pipes_;
};

}  // namespace atrium
