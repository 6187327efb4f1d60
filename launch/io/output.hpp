// All output of the job on its way to oshrun's standard output and error.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "launch/io/far_output.hpp"
#include "launch/io/loop.hpp"
#include "launch/io/pe_streams.hpp"
#include "launch/io/sink.hpp"
#include "launch/io/stream.hpp"

namespace atrium {

// What is said where output could not be written; errno says why.
Error lost_output(const char* call);

class Output final : public PeOutput, public FarOutput {
 public:
  Output(Loop& loop, bool tag_lines);

  void add(int pe, int out_fd, int error_fd) override;
  // Passes on what the PE has written so far, its last unfinished lines included.
  void finish_pe(int pe);
  void add_distant(int pe, const std::string& host) override;
  void take(int pe, bool is_error, std::string_view bytes) override;
  void say(const std::string& text) override;

  // Text that describes the present moment: replaced in place on a terminal, else written like other text.
  void show(const std::string& lines);
  bool shows_in_place() const { return error_.terminal(); }

  bool backlogged() const override { return out_.backlogged() || error_.backlogged(); }
  // Called when backlogged() or reader_gone() changes.
  void follow_changes(std::function<void()> follower) { follower_ = std::move(follower); }
  bool reader_gone(bool of_errors) const override { return of_errors ? error_.broken() : out_.broken(); }
  // Why output was lost (a full disk, say); 0 if none was.
  Sink::Loss loss() const { return out_.loss().error != 0 ? out_.loss() : error_.loss(); }
  // Reads what is left.
  void drain();
  // The same, and waits until everything is out or its reader gone.
  void close();

 private:
  void follow_sinks();
  Stream* find(int pe, bool is_error);
  void open(int pe, int out_fd, int error_fd, const std::string& name);

  Loop& loop_;
  bool tag_lines_;
  std::unique_ptr<Sink> separate_error_;  // none when both lead to the same file: one line stays one line
  Sink out_;
  Sink& error_;
  static constexpr size_t none = SIZE_MAX;
  std::deque<Stream> streams_;  // two per PE, in the order of the PEs
  std::vector<size_t> pairs_;   // by PE: where its two are among them
  std::function<void()> follower_;
};

}  // namespace atrium
