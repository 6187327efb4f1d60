// A pipe through which one PE reads what is copied for it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "atrium_pipe.hpp"
#include "launch/io/loop.hpp"

namespace atrium {

class InputPipe final : public Watcher {
 public:
  // `on_drained` is called when the PE has taken something, or will take nothing any more.
  InputPipe(Loop& loop, int pe, std::function<void()> on_drained);

  // The PE's end, until close_other_end().
  int for_pe() const { return pipe_.to_read(); }
  int pe() const { return pe_; }
  void close_other_end() { pipe_.close_to_read(); }
  void put(const char* bytes, size_t count);
  // What has been put is still delivered by `finish`, and lost by `close`.
  void finish();
  void close();
  bool empty() const { return pending_.empty(); }
  bool closed() const { return pipe_.to_write() < 0 || finished_; }

  void on_ready() override;

 private:
  void flush();
  void wait(bool wanted);

  Loop& loop_;
  int pe_;
  std::function<void()> on_drained_;
  Pipe pipe_;
  bool waiting_ = false;
  bool finished_ = false;
  std::string pending_;
};

}  // namespace atrium
