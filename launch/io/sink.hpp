// Where output goes: oshrun's standard output or error, which may be slow, and must never stop oshrun itself.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "launch/io/loop.hpp"

namespace atrium {

class Sink final : public Watcher {
 public:
  // `on_change` is called when the sink becomes backlogged, is no longer so, or breaks.
  Sink(Loop& loop, int fd, std::function<void()> on_change);

  // Takes `text` at once; what the reader does not accept yet is kept.
  void write(std::string_view text);
  // Text of `writer` that does not end its line. If another writer follows, a line end comes first.
  void write_open(const void* writer, std::string_view text);
  void write_lines(const void* writer, std::string_view text);
  // Whether the last line is this writer's, and goes on with what it writes next.
  bool is_open_for(const void* writer) const { return open_writer_ == writer; }

  // Lines that stay at the end of a terminal until something else is written there, or others take their place.
  // Nothing while the last line is open.
  void write_footer(const std::string& lines);

  bool backlogged() const { return backlogged_; }  // so much is kept that sources should be left unread
  bool broken() const { return broken_; }          // the reader has gone
  // Why something that was to be written is lost, other than for want of a reader: a call and its errno, or 0.
  struct Loss {
    const char* call = "";
    int error = 0;
  };
  Loss loss() const { return loss_; }
  void lose(Loss loss) { loss_ = loss; }
  // Bytes that its writers keep until their lines are complete. A number below zero, as size_t has it, takes away.
  void add_unfinished(size_t bytes) { unfinished_ += bytes; }
  size_t unfinished() const { return unfinished_; }
  bool empty() const { return queue_.empty(); }
  bool terminal() const { return terminal_; }

  void on_ready() override;

 private:
  void take_footer_back();
  void flush();
  ssize_t write_some(std::string_view text);
  void wait_for_room(bool wait);
  void break_off();
  void check_backlog();

  Loop& loop_;
  int fd_;
  std::function<void()> on_change_;
  std::string queue_;
  size_t done_ = 0;  // bytes at the front of queue_ that are out
  size_t unfinished_ = 0;
  const void* open_writer_ = nullptr;
  size_t footer_ = 0;  // its lines, on the screen now
  bool terminal_ = false;
  bool nonblocking_ = false;
  bool regular_ = false;
  bool waiting_ = false;
  bool backlogged_ = false;
  bool broken_ = false;
  Loss loss_;
};

}  // namespace atrium
