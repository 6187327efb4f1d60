// Watches standard input only while its readers want a piece.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/standard_input.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace atrium {
namespace {

constexpr size_t most_bytes = 1 << 16;  // of a piece
constexpr Loop::Milliseconds foreground_rest(300);

// Whether this process may read its standard input without being stopped (SIGTTIN). A terminal that is not this session's (setsid, a
// service, an expect script) has no foreground for us, and stops no process.
bool may_read_input() {
  if (!isatty(STDIN_FILENO)) return true;
  const pid_t foreground = tcgetpgrp(STDIN_FILENO);
  return foreground < 0 || foreground == getpgrp();
}

}  // namespace

StandardInput::StandardInput(Loop& loop, std::function<bool()> is_wanted,
                             std::function<void(std::string_view)> take)
    : loop_(loop), is_wanted_(std::move(is_wanted)), take_(std::move(take)) {}

void StandardInput::pump() {
  if (reading_) return;
  const bool wanted = !ended_ && is_wanted_(), may = wanted && may_read_input();
  listen(may);
  if (wanted && !may) await_foreground();
  while (always_ready_ && !ended_ && is_wanted_()) read_piece();
}

// A shell sends no signal to a job that it brings to the foreground while the job runs.
void StandardInput::await_foreground() {
  if (std::exchange(awaits_foreground_, true)) return;
  loop_.after(foreground_rest, [this] {
    awaits_foreground_ = false;
    pump();
  });
}

void StandardInput::on_ready() {
  read_piece();
  pump();
}

void StandardInput::listen(bool wanted) {
  if (wanted == listening_ || always_ready_) return;
  listening_ = wanted;
  if (!wanted)
    loop_.forget(STDIN_FILENO);
  else
    always_ready_ = !loop_.watch(STDIN_FILENO, EPOLLIN, *this);
}

void StandardInput::read_piece() {
  static char piece[most_bytes];
  const ssize_t bytes = ::read(STDIN_FILENO, piece, sizeof piece);
  if (bytes < 0 && (errno == EINTR || errno == EAGAIN)) return;
  ended_ = bytes <= 0;
  reading_ = true;
  take_({piece, ended_ ? 0 : static_cast<size_t>(bytes)});
  reading_ = false;
}

}  // namespace atrium
