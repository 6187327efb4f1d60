// Non-blocking writes into a pipe, and what it does not take yet.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/input_pipe.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace atrium {

InputPipe::InputPipe(Loop& loop, int pe, std::function<void()> on_drained)
    : loop_(loop), pe_(pe), on_drained_(std::move(on_drained)) {
  if (pipe_.open()) fcntl(pipe_.to_write(), F_SETFL, O_NONBLOCK);
}

void InputPipe::on_ready() {
  flush();
  on_drained_();
}

void InputPipe::put(const char* bytes, size_t count) {
  if (closed()) return;
  pending_.append(bytes, count);
  flush();
}

void InputPipe::finish() {
  finished_ = true;
  if (pending_.empty()) close();
}

void InputPipe::close() {
  if (pipe_.to_write() < 0) return;
  wait(false);
  pipe_.close_to_write();
  pending_.clear();
}

void InputPipe::flush() {
  const ssize_t n = ::write(pipe_.to_write(), pending_.data(), pending_.size());
  if (n < 0 && errno != EAGAIN && errno != EINTR) return close();
  if (n > 0) pending_.erase(0, static_cast<size_t>(n));
  wait(!pending_.empty());
  if (finished_ && pending_.empty()) close();
}

void InputPipe::wait(bool wanted) {
  if (wanted == waiting_) return;
  waiting_ = wanted;
  if (wanted)
    loop_.watch(pipe_.to_write(), EPOLLOUT, *this);
  else
    loop_.forget(pipe_.to_write());
}

}  // namespace atrium
