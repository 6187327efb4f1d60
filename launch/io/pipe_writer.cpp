// Writes into a pipe without blocking, and goes on when there is room.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/pipe_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace atrium {

PipeWriter::PipeWriter(Loop& loop, std::function<void()> on_change)
    : loop_(loop), on_change_(std::move(on_change)) {}

void PipeWriter::open(int fd) {
  fd_ = fd;
  fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) | O_NONBLOCK);
}

void PipeWriter::put(std::string_view text) {
  if (closed()) return;
  kept_ += text;
  if (!waiting_) flush();
}

void PipeWriter::finish() {
  finished_ = true;
  if (kept_.empty()) close();
}

void PipeWriter::close() {
  if (fd_ < 0) return;
  wait(false);
  ::close(std::exchange(fd_, -1));
  kept_.clear();
}

void PipeWriter::on_ready() {
  flush();
  on_change_();
}

void PipeWriter::flush() {
  size_t done = 0;
  while (done < kept_.size()) {
    const ssize_t count = ::write(fd_, kept_.data() + done, kept_.size() - done);
    if (count >= 0)
      done += static_cast<size_t>(count);
    else if (errno == EAGAIN)
      break;
    else if (errno != EINTR)
      return close();
  }
  kept_.erase(0, done);
  wait(!kept_.empty());
  if (finished_ && kept_.empty()) close();
}

void PipeWriter::wait(bool wanted) {
  if (wanted == waiting_) return;
  waiting_ = wanted;
  if (wanted)
    loop_.watch(fd_, EPOLLOUT, *this);
  else
    loop_.forget(fd_);
}

}  // namespace atrium
