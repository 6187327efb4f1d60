// Standard input of PEs that comes in pieces: from another host, or copied by this oshrun.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <functional>
#include <string_view>

#include "atrium_pipe.hpp"
#include "launch/cli/options.hpp"
#include "launch/io/pe_streams.hpp"
#include "launch/io/pipe_writer.hpp"

namespace atrium {

class FedInput final : public PeInput {
 public:
  // `on_change`: a reader has taken something, or has gone.
  FedInput(Loop& loop, const PeSet& readers, std::function<void()> on_change);

  int stream_of(int pe) override;
  void start() override;
  void drop(int pe) override;
  // Nothing: the end.
  void put(std::string_view bytes);
  // A reader is left.
  bool is_wanted() const;
  // Some reader has not taken all that was put.
  bool is_pending() const;

 private:
  struct Reader {
    Reader(int pe, Loop& loop, const std::function<void()>& on_change) : pe(pe), writer(loop, on_change) {}

    const int pe;
    PipeWriter writer;
    Pipe pipe;  // until all PEs have theirs: then their ends are closed here
  };

  Loop& loop_;
  const PeSet& readers_;
  const std::function<void()> on_change_;
  int nothing_ = -1;  // once a PE reads it
  std::deque<Reader> fed_;
};

}  // namespace atrium
