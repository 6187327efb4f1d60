// Passes oshrun's standard input on to the PE that reads it.
// SPDX-License-Identifier: BSD-3-Clause
//
// One PE that reads a file or a pipe simply inherits it. oshrun copies only where that cannot work: from a
// terminal (PEs are in the background, and may not read it) and to several PEs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "launch/cli/options.hpp"
#include "launch/io/input_pipe.hpp"
#include "launch/io/loop.hpp"
#include "launch/io/pe_streams.hpp"

namespace atrium {

class Input final : public PeInput {
 public:
  Input(Loop& loop, const PeSet& readers, bool terminal_is_taken);
  ~Input();

  int stream_of(int pe) override;
  void start() override;
  void follow_foreground() override;
  void drop(int pe) override;

 private:
  class Reader;

  void read_some();
  void pump();
  bool pending() const;

  Loop& loop_;
  const PeSet& readers_;
  int nothing_;   // /dev/null
  bool copy_;     // through pipes of ours
  bool inherit_;  // directly
  std::unique_ptr<Reader> reader_;
  std::vector<std::unique_ptr<InputPipe>> pipes_;
};

}  // namespace atrium
