// Reads a piece when all have taken the last one.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/input_sender.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "launch/io/foreground.hpp"

namespace atrium {
namespace {

constexpr size_t chunk_size = 1 << 16;

}  // namespace

InputSender::InputSender(Loop& loop, std::vector<RemoteHost*> readers)
    : loop_(loop), readers_(std::move(readers)) {
  for (RemoteHost* host : readers_) host->take_input([this] { pump(); });
}

bool InputSender::wanted() const {
  return std::any_of(readers_.begin(), readers_.end(),
                     [](const RemoteHost* host) { return host->wants_input(); });
}

bool InputSender::pending() const {
  return std::any_of(readers_.begin(), readers_.end(),
                     [](const RemoteHost* host) { return host->input_pending(); });
}

void InputSender::listen(bool wanted) {
  if (wanted == listening_ || always_ready_) return;
  listening_ = wanted;
  if (!wanted)
    loop_.forget(STDIN_FILENO);
  else
    always_ready_ = !loop_.watch(STDIN_FILENO, EPOLLIN, *this);
}

void InputSender::pump() {
  listen(!ended_ && wanted() && !pending() && may_read_input());
  if (always_ready_ && !ended_ && wanted() && !pending()) read_some();
}

void InputSender::read_some() {
  static char chunk[chunk_size];
  const ssize_t n = ::read(STDIN_FILENO, chunk, sizeof chunk);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return;
  ended_ = n <= 0;
  const size_t bytes = n > 0 ? static_cast<size_t>(n) : 0;
  for (RemoteHost* host : readers_)
    if (host->wants_input()) host->send_input({chunk, bytes});
  pump();
}

}  // namespace atrium
