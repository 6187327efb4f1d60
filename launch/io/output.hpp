// All output of the job on its way to oshrun's standard output and error.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "launch/io/loop.hpp"
#include "launch/io/sink.hpp"
#include "launch/io/stream.hpp"

namespace atrium {

class Output {
 public:
  Output(Loop& loop, bool tag_lines);

  // Takes the read ends of a PE's two pipes.
  void add(int pe, int out_fd, int error_fd);
  // Passes on what the PE has written so far, its last unfinished lines included.
  void finish_pe(int pe);
  // Words of oshrun's own, on standard error.
  void say(const std::string& text);

  bool all_closed() const;
  bool reader_gone() const { return out_.broken(); }
  // Why output was lost (a full disk, say); 0 if none was.
  int write_error() const { return out_.error() ? out_.error() : error_.error(); }
  // Reads what is left, and waits until everything is out or its reader gone.
  void close();

 private:
  void follow_sinks();

  Loop& loop_;
  bool tag_lines_;
  std::unique_ptr<Sink> separate_error_;  // none when both lead to the same file: one line stays one line
  Sink out_;
  Sink& error_;
  std::deque<Stream> streams_;  // two per PE, in the order of the PEs
  std::vector<int> owners_;     // which PE a pair of streams belongs to
};

}  // namespace atrium
