// Copies standard input into one pipe per reader, at the pace of the slowest.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace atrium {
namespace {

constexpr size_t chunk_size = 1 << 16;

// Reading a terminal from the background would stop oshrun (SIGTTIN).
bool may_read() { return !isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) == getpgrp(); }

}  // namespace

// Standard input as the loop sees it.
class Input::Reader final : public Watcher {
 public:
  explicit Reader(Input& input) : input_(input) {}

  void on_ready() override { input_.read_some(); }

  void listen(bool wanted) {
    if (wanted == listening_ || ended_) return;
    listening_ = wanted;
    if (!wanted)
      input_.loop_.forget(STDIN_FILENO);
    else if (!input_.loop_.watch(STDIN_FILENO, EPOLLIN, *this))
      always_ready_ = true;  // a regular file
  }
  void end() {
    listen(false);
    ended_ = true;
  }
  bool ended() const { return ended_; }
  bool always_ready() const { return always_ready_; }

 private:
  Input& input_;
  bool listening_ = false;
  bool always_ready_ = false;
  bool ended_ = false;
};

// The way to one PE.
class Input::Pipe final : public Watcher {
 public:
  Pipe(Input& input, int pe) : pe(pe), input_(input) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    for_pe = ends[0];
    write_end_ = ends[1];
    fcntl(write_end_, F_SETFL, O_NONBLOCK);
  }

  void on_ready() override {
    flush();
    input_.pump();
  }
  void put(const char* bytes, size_t count) {
    if (write_end_ < 0) return;
    pending_.append(bytes, count);
    flush();
  }
  void close() {
    if (write_end_ < 0) return;
    wait(false);
    ::close(write_end_);
    write_end_ = -1;
    pending_.clear();
  }
  void close_other_end() {
    if (for_pe >= 0) ::close(std::exchange(for_pe, -1));
  }
  bool empty() const { return pending_.empty(); }
  bool closed() const { return write_end_ < 0; }

  int pe;
  int for_pe = -1;

 private:
  void flush() {
    const ssize_t n = ::write(write_end_, pending_.data(), pending_.size());
    if (n < 0 && errno != EAGAIN && errno != EINTR) return close();
    if (n > 0) pending_.erase(0, static_cast<size_t>(n));
    wait(!pending_.empty());
  }
  void wait(bool wanted) {
    if (wanted == waiting_) return;
    waiting_ = wanted;
    if (wanted)
      input_.loop_.watch(write_end_, EPOLLOUT, *this);
    else
      input_.loop_.forget(write_end_);
  }

  Input& input_;
  int write_end_ = -1;
  bool waiting_ = false;
  std::string pending_;
};

Input::Input(Loop& loop, const PeSet& readers, bool terminal_is_taken)
    : loop_(loop), readers_(readers), nothing_(open("/dev/null", O_RDONLY | O_CLOEXEC)) {
  const bool several = readers.all || readers.numbers.size() > 1;
  copy_ = !terminal_is_taken && (several || isatty(STDIN_FILENO));
  inherit_ = !terminal_is_taken && !copy_;
}

Input::~Input() = default;

int Input::stream_of(int pe) {
  if (!readers_.has(pe)) return nothing_;
  if (inherit_) return STDIN_FILENO;
  if (!copy_) return nothing_;
  pipes_.push_back(std::make_unique<Pipe>(*this, pe));
  return pipes_.back()->for_pe;
}

void Input::start() {
  for (auto& pipe : pipes_) pipe->close_other_end();
  if (pipes_.empty()) return;
  reader_ = std::make_unique<Reader>(*this);
  pump();
}

void Input::follow_foreground() {
  if (reader_) pump();
}

void Input::drop(int pe) {
  for (auto& pipe : pipes_)
    if (pipe->pe == pe) pipe->close();
  if (reader_) pump();
}

bool Input::pending() const {
  return std::any_of(pipes_.begin(), pipes_.end(), [](const auto& pipe) { return !pipe->empty(); });
}

// Decides what to wait for next.
void Input::pump() {
  const bool wanted =
      std::any_of(pipes_.begin(), pipes_.end(), [](const auto& pipe) { return !pipe->closed(); });
  if (!wanted) return reader_->end();
  reader_->listen(!pending() && may_read());
  while (reader_->always_ready() && !reader_->ended() && !pending()) read_some();
}

void Input::read_some() {
  static char chunk[chunk_size];
  const ssize_t n = ::read(STDIN_FILENO, chunk, sizeof chunk);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (n > 0) {
    for (auto& pipe : pipes_) pipe->put(chunk, static_cast<size_t>(n));
  } else {
    reader_->end();
    for (auto& pipe : pipes_) pipe->close();
  }
  if (!reader_->always_ready()) pump();
}

}  // namespace atrium
