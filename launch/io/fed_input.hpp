// Standard input of PEs that comes in pieces: from another host, or copied by this oshrun.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "launch/cli/options.hpp"
#include "launch/io/input_pipe.hpp"
#include "launch/io/pe_streams.hpp"

namespace atrium {

class FedInput final : public PeInput {
 public:
  struct Follower {
    std::function<void()> on_taken;     // all readers have what was put last
    std::function<void()> on_unwanted;  // no reader is left
  };
  FedInput(Loop& loop, const PeSet& readers, Follower follower);

  int stream_of(int pe) override;
  void start() override;
  void drop(int pe) override;
  // Nothing: the end.
  void put(std::string_view bytes);
  // A reader is left, and all have what was put last.
  bool wants_more() const { return !busy_ && !unwanted_; }

 private:
  void follow();

  Loop& loop_;
  const PeSet& readers_;
  Follower follower_;
  int nothing_;  // /dev/null
  std::vector<std::unique_ptr<InputPipe>> pipes_;
  bool busy_ = false;  // something was put that a reader has not taken
  bool unwanted_ = false;
};

}  // namespace atrium
