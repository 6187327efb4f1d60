// Reads and writes the frames of a link without blocking, and queues what the other end does not take.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/link.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace atrium {
namespace {

constexpr size_t chunk_size = 1 << 16;
constexpr size_t high_water = 1 << 20;
constexpr size_t low_water = 1 << 18;
constexpr size_t longest_preamble = 1 << 16;  // of a shell's start-up files

}  // namespace

HostLink::HostLink(Loop& loop, int in, int out, bool awaits_greeting, Follower follower)
    : loop_(loop),
      in_(in),
      out_(out),
      awaits_greeting_(awaits_greeting),
      follower_(std::move(follower)),
      reader_([this] { read_some(); }),
      writer_([this] { flush(); }) {
  for (const int fd : {in_, out_}) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
  loop_.watch(in_, EPOLLIN, reader_);
}

HostLink::~HostLink() { close(); }

void HostLink::close() {
  close_in();
  close_out();
}

void HostLink::greet(const std::string& version) {
  queue_ += "\n" + std::string(link_greeting) + version + "\n";
  flush();
}

void HostLink::send(FrameWriter frame) {
  if (out_ < 0) return;
  queue_ += frame.bytes();
  if (!waiting_) flush();
  check_backlog();
}

void HostLink::flush() {
  size_t done = 0;
  while (done < queue_.size() && out_ >= 0) {
    const ssize_t n = ::write(out_, queue_.data() + done, queue_.size() - done);
    if (n >= 0)
      done += static_cast<size_t>(n);
    else if (errno == EAGAIN)
      break;
    else if (errno != EINTR)
      return close_out();  // an end that reads no more signals it by closing its output
  }
  queue_.erase(0, done);
  const bool wait = !queue_.empty() && out_ >= 0;
  if (wait != waiting_) {
    waiting_ = wait;
    if (wait)
      loop_.watch(out_, EPOLLOUT, writer_);
    else
      loop_.forget(out_);
  }
  check_backlog();
}

void HostLink::check_backlog() {
  const bool backlogged = queue_.size() > (backlogged_ ? low_water : high_water);
  if (backlogged == backlogged_) return;
  backlogged_ = backlogged;
  if (follower_.on_backlog_change) follower_.on_backlog_change();
}

void HostLink::pause(bool paused) {
  if (paused == paused_ || in_ < 0) return;
  paused_ = paused;
  last_received_ = std::chrono::steady_clock::now();
  if (paused_) return loop_.forget(in_);
  loop_.watch(in_, EPOLLIN, reader_);
  give_frames();
}

void HostLink::read_some() {
  static char chunk[chunk_size];
  const ssize_t n = ::read(in_, chunk, sizeof chunk);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n > 0) {
    last_received_ = std::chrono::steady_clock::now();
    if (awaits_greeting_)
      preamble_.append(chunk, static_cast<size_t>(n));
    else
      parser_.add({chunk, static_cast<size_t>(n)});
    if (!awaits_greeting_ || find_greeting()) give_frames();
  }
  nonsense_ = nonsense_ || parser_.is_broken() || preamble_.size() > longest_preamble;
  if (in_ < 0 || (n > 0 && !nonsense_)) return;
  close_in();
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
  while (in_ >= 0 && !paused_ && parser_.next(kind, payload)) {
    FrameReader frame(payload);
    follower_.on_frame(kind, frame);
  }
  giving_ = false;
}

void HostLink::refuse() {
  nonsense_ = true;
  close_in();
  follower_.on_closed();
}

void HostLink::close_in() {
  if (in_ < 0) return;
  if (!paused_) loop_.forget(in_);
  ::close(in_);
  in_ = -1;
}

void HostLink::close_out() {
  if (out_ < 0) return;
  if (waiting_) loop_.forget(out_);
  waiting_ = false;
  ::close(out_);
  out_ = -1;
  queue_.clear();
}

}  // namespace atrium
