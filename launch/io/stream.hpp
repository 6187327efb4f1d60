// One output stream of one PE: reads a pipe and passes on whole lines.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "launch/io/pipe_reader.hpp"
#include "launch/io/sink.hpp"

namespace atrium {

class Stream {
 public:
  // Takes `fd`, the read end of a pipe; -1: take() brings what there is. `tag` begins each line; empty for none.
  Stream(Loop& loop, int fd, Sink& sink, std::string tag);

  // Reads all that is there now.
  void drain() { pipe_.drain(); }
  // Passes on what was written without a line end, ending the line if asked to.
  void flush_tail(bool end_line);
  void close() { pipe_.close(); }
  // As if the pipe had brought it.
  void take(std::string_view bytes);
  // Follows the sink: read on, pause, or give up.
  void follow_sink();

 private:
  void pass_on(std::string_view lines);
  void show_unfinished();
  void clear();
  void count_kept();

  Loop& loop_;
  PipeReader pipe_;
  Sink& sink_;
  std::string tag_;
  std::string partial_;  // the beginning of a line that is not complete
  size_t counted_ = 0;   // of it, in sink_.unfinished()
};

}  // namespace atrium
