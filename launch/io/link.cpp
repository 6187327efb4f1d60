// Finds the greeting and the frames in what comes, and says when too much waits for the other end.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/link.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace atrium {
namespace {

constexpr size_t high_water = 1 << 20;
constexpr size_t low_water = 1 << 18;
constexpr size_t longest_preamble = 1 << 16;  // of a shell's start-up files

}  // namespace

HostLink::HostLink(Loop& loop, int in, int out, bool awaits_greeting, Follower follower)
    : reader_(loop, [this](std::string_view bytes) { receive(bytes); }),
      writer_(loop, [this] { check_backlog(); }),
      awaits_greeting_(awaits_greeting),
      follower_(std::move(follower)) {
  reader_.open(in);
  writer_.open(out);
}

void HostLink::close() {
  reader_.close();
  writer_.close();
}

void HostLink::greet(const std::string& version) {
  writer_.put("\n" + std::string(link_greeting) + version + "\n");
}

// An end that reads no more signals it by closing its output.
void HostLink::send(FrameWriter frame) {
  if (writer_.closed()) return;
  writer_.put(frame.bytes());
  check_backlog();
}

void HostLink::check_backlog() {
  const bool backlogged = writer_.kept() > (backlogged_ ? low_water : high_water);
  if (backlogged == backlogged_) return;
  backlogged_ = backlogged;
  if (follower_.on_backlog_change) follower_.on_backlog_change();
}

void HostLink::pause(bool paused) {
  if (paused == reader_.paused() || closed()) return;
  last_received_ = std::chrono::steady_clock::now();
  reader_.pause(paused);
  if (!paused) give_frames();
}

void HostLink::receive(std::string_view bytes) {
  if (bytes.empty()) return follower_.on_closed();
  last_received_ = std::chrono::steady_clock::now();
  if (awaits_greeting_)
    preamble_ += bytes;
  else
    parser_.add(bytes);
  if (!awaits_greeting_ || find_greeting()) give_frames();
  nonsense_ = nonsense_ || parser_.is_broken() || preamble_.size() > longest_preamble;
  if (closed() || !nonsense_) return;
  reader_.close();
  follower_.on_closed();
}

// At the beginning of a line.
bool HostLink::find_greeting() {
  size_t at = preamble_.find(link_greeting);
  while (at != std::string::npos && at > 0 && preamble_[at - 1] != '\n')
    at = preamble_.find(link_greeting, at + 1);
  const size_t end = at == std::string::npos ? at : preamble_.find('\n', at);
  if (end == std::string::npos) return false;
  awaits_greeting_ = false;
  version_ = preamble_.substr(at + link_greeting.size(), end - at - link_greeting.size());
  parser_.add(std::string_view(preamble_).substr(end + 1));
  preamble_.resize(at);
  return true;
}

// A frame may close or pause the link.
void HostLink::give_frames() {
  if (giving_) return;
  giving_ = true;
  uint8_t kind = 0;
  std::string_view payload;
  while (!closed() && !paused() && parser_.next(kind, payload)) {
    FrameReader frame(payload);
    follower_.on_frame(kind, frame);
  }
  giving_ = false;
}

void HostLink::refuse() {
  nonsense_ = true;
  reader_.close();
  follower_.on_closed();
}

}  // namespace atrium
