// Frames over two pipes, the standard streams of an agent.
// SPDX-License-Identifier: BSD-3-Clause
//
// An agent begins with a line, link_greeting and its version, so that what a login shell prints before it does no harm. That may lack a
// line end, as the title of a terminal does: so a line end comes first.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "launch/io/frame.hpp"
#include "launch/io/pipe_reader.hpp"
#include "launch/io/pipe_writer.hpp"

namespace atrium {

inline constexpr std::string_view link_greeting = "atrium-agent ";

class HostLink {
 public:
  // Called when something happens on the link. on_closed is the last call.
  struct Follower {
    std::function<void(uint8_t kind, FrameReader& frame)> on_frame;
    std::function<void()> on_closed;          // the other end has gone, or has sent what is no frame
    std::function<void()> on_backlog_change;  // backlogged() has changed
  };

  // Takes both, which become non-blocking. `awaits_greeting`: frames begin after that line.
  HostLink(Loop& loop, int in, int out, bool awaits_greeting, Follower follower);

  void send(FrameWriter frame);
  void greet(const std::string& version);
  // So much is queued that its sources should not be read for now.
  bool backlogged() const { return backlogged_; }
  // While it is paused nothing is read, so that the other side has to wait.
  void pause(bool paused);
  bool paused() const { return reader_.paused(); }
  // Sends nothing more: the other end finds the end of its input.
  void close_out() { writer_.close(); }
  // Sends and receives nothing more.
  void close();
  bool closed() const { return reader_.closed(); }
  std::chrono::steady_clock::time_point last_received() const { return last_received_; }
  void forgive_silence() { last_received_ = std::chrono::steady_clock::now(); }
  // The frame is no message: from now on as if the other end had gone. Only from within on_frame.
  void refuse();
  bool received_nonsense() const { return nonsense_; }
  // The version in the greeting of the other end.
  const std::string& version() const { return version_; }

 private:
  void receive(std::string_view bytes);
  bool find_greeting();
  void give_frames();
  void check_backlog();

  PipeReader reader_;
  PipeWriter writer_;
  bool awaits_greeting_;
  Follower follower_;
  FrameParser parser_;
  std::string preamble_, version_;
  bool backlogged_ = false;
  bool giving_ = false;
  bool nonsense_ = false;
  std::chrono::steady_clock::time_point last_received_ = std::chrono::steady_clock::now();
};

}  // namespace atrium
