// The end of a pipe from which others' text is read as it comes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string_view>

#include "launch/io/loop.hpp"

namespace atrium {

class PipeReader final : public Watcher {
 public:
  // Gets what has come, and at last nothing, when the pipe is closed here: then errno says why it cannot be read, or is 0 at its end.
  // What it gets is overwritten by the next read of any pipe.
  using Take = std::function<void(std::string_view bytes)>;

  PipeReader(Loop& loop, Take take);
  ~PipeReader() { close(); }
  PipeReader(const PipeReader&) = delete;
  PipeReader& operator=(const PipeReader&) = delete;

  // Takes the descriptor, which becomes non-blocking.
  void open(int fd);
  // While it is paused nothing is read, so that the other side has to wait.
  void pause(bool paused);
  bool paused() const { return paused_; }
  // What is there now.
  void drain();
  void close();
  bool closed() const { return fd_ < 0; }

  void on_ready() override { read_some(); }

 private:
  bool read_some();

  Loop& loop_;
  const Take take_;
  int fd_ = -1;
  bool paused_ = false;
};

}  // namespace atrium
