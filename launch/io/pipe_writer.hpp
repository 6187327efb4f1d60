// The end of a pipe into which text is written as far as its reader takes it; the rest is kept.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "launch/io/loop.hpp"

namespace atrium {

class PipeWriter final : public Watcher {
 public:
  // `on_change`: the reader has taken some of what was kept, or has gone.
  PipeWriter(Loop& loop, std::function<void()> on_change);
  ~PipeWriter() { close(); }
  PipeWriter(const PipeWriter&) = delete;
  PipeWriter& operator=(const PipeWriter&) = delete;

  // Takes the descriptor, which becomes non-blocking.
  void open(int fd);
  void put(std::string_view text);
  size_t kept() const { return kept_.size(); }
  // Nothing more is put: what is kept is still delivered by `finish`, and lost by `close`.
  void finish();
  void close();
  bool closed() const { return fd_ < 0 || finished_; }

  void on_ready() override;

 private:
  void flush();
  void wait(bool wanted);

  Loop& loop_;
  const std::function<void()> on_change_;
  int fd_ = -1;
  bool waiting_ = false;
  bool finished_ = false;
  std::string kept_;
};

}  // namespace atrium
