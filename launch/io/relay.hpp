// Passes on what PEs print in pieces, as it comes. Whoever receives the pieces makes whole lines of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "launch/io/pe_streams.hpp"
#include "launch/io/pipe_reader.hpp"

namespace atrium {

class OutputRelay final : public PeOutput {
 public:
  using HandOn = std::function<void(int pe, bool is_error, std::string_view bytes)>;
  OutputRelay(Loop& loop, HandOn hand_on);
  ~OutputRelay();

  void add(int pe, int out_fd, int error_fd) override;
  // What has been written so far.
  void finish_pe(int pe);
  void finish_all();
  // The receiver takes no pieces for now: PEs that print more will wait.
  void pause(bool paused);
  // The reader of that stream has gone: PEs find a closed pipe.
  void close(bool is_error);

 private:
  struct Stream;

  Loop& loop_;
  HandOn hand_on_;
  std::vector<std::unique_ptr<Stream>> streams_;
  bool paused_ = false;
};

}  // namespace atrium
