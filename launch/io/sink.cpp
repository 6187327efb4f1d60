// Non-blocking writes without touching the flags of a descriptor that others share.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/sink.hpp"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace atrium {
namespace {

constexpr size_t high_water = 1 << 20;
constexpr size_t low_water = 1 << 18;

// O_NONBLOCK belongs to the open file, which the shell and other programs share. Opening a pipe or terminal
// again gives an open file of our own.
int open_again(int fd) {
  return open(("/proc/self/fd/" + std::to_string(fd)).c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

bool takes_bytes(int fd) {
  pollfd query{fd, POLLOUT, 0};
  return poll(&query, 1, 0) == 1;
}

}  // namespace

Sink::Sink(Loop& loop, int fd, std::function<void()> on_change)
    : loop_(loop), fd_(fd), on_change_(std::move(on_change)), terminal_(isatty(fd)) {
  struct stat info {};
  fstat(fd, &info);
  regular_ = S_ISREG(info.st_mode);
  if (!S_ISFIFO(info.st_mode) && !S_ISCHR(info.st_mode)) return;
  if (const int own = open_again(fd); own >= 0) {
    fd_ = own;
    nonblocking_ = true;
  }
}

void Sink::write(std::string_view text) {
  if (broken_) return;
  take_footer_back();
  queue_ += text;
  if (waiting_)
    check_backlog();
  else
    flush();
}

void Sink::write_open(const void* writer, std::string_view text) {
  if (open_writer_ && open_writer_ != writer) write("\n");
  open_writer_ = writer;
  write(text);
}

void Sink::write_lines(const void* writer, std::string_view text) {
  if (open_writer_ && open_writer_ != writer) write("\n");
  open_writer_ = nullptr;
  write(text);
}

void Sink::write_footer(const std::string& lines) {
  if (open_writer_) return;
  write(lines);
  footer_ = static_cast<size_t>(std::count(lines.begin(), lines.end(), '\n'));
}

void Sink::take_footer_back() {
  if (footer_ != 0) queue_ += "\033[" + std::to_string(footer_) + "A\033[J";
  footer_ = 0;
}

void Sink::on_ready() { flush(); }

// A descriptor that we may not make non-blocking (a socket, another user's terminal) accepts at least
// PIPE_BUF bytes when it says that it has room.
ssize_t Sink::write_some(std::string_view text) {
  if (nonblocking_ || regular_) return ::write(fd_, text.data(), text.size());
  if (!takes_bytes(fd_)) return errno = EAGAIN, -1;
  return ::write(fd_, text.data(), std::min<size_t>(text.size(), PIPE_BUF));
}

void Sink::flush() {
  while (done_ < queue_.size()) {
    const ssize_t n = write_some(std::string_view(queue_).substr(done_));
    if (n >= 0)
      done_ += static_cast<size_t>(n);
    else if (errno == EAGAIN)
      break;
    else if (errno != EINTR)
      return break_off();
  }
  queue_.erase(0, done_);
  done_ = 0;
  wait_for_room(!queue_.empty());
  check_backlog();
}

void Sink::wait_for_room(bool wait) {
  if (wait == waiting_) return;
  waiting_ = wait;
  if (!wait)
    loop_.forget(fd_);
  else if (!loop_.watch(fd_, EPOLLOUT, *this))
    regular_ = true, waiting_ = false;  // nothing to wait for: write in the ordinary way
}

void Sink::break_off() {
  if (errno != EPIPE) lose({"write", errno});
  wait_for_room(false);
  broken_ = true;
  queue_.clear();
  done_ = 0;
  backlogged_ = false;
  on_change_();
}

void Sink::check_backlog() {
  const bool backlogged = queue_.size() > (backlogged_ ? low_water : high_water);
  if (backlogged == backlogged_) return;
  backlogged_ = backlogged;
  on_change_();
}

}  // namespace atrium
