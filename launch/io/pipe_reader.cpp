// Reads a pipe without blocking, whenever there is something.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/pipe_reader.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace atrium {
namespace {

constexpr size_t most_bytes = 1 << 16;  // a pipe holds no more
constexpr int most_reads = 32;          // a process that writes on must not keep us

}  // namespace

PipeReader::PipeReader(Loop& loop, Take take) : loop_(loop), take_(std::move(take)) {}

void PipeReader::open(int fd) {
  fd_ = fd;
  fcntl(fd_, F_SETFL, fcntl(fd_, F_GETFL) | O_NONBLOCK);
  loop_.watch(fd_, EPOLLIN, *this);
}

void PipeReader::pause(bool paused) {
  if (closed() || paused == paused_) return;
  paused_ = paused;
  if (paused_)
    loop_.forget(fd_);  // epoll would report the closed end again and again
  else
    loop_.watch(fd_, EPOLLIN, *this);
}

// False when there is nothing to read now.
bool PipeReader::read_some() {
  static char bytes[most_bytes];
  const ssize_t count = ::read(fd_, bytes, sizeof bytes);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  const int error = count < 0 ? errno : 0;
  if (count <= 0) close();
  errno = error;
  take_({bytes, count > 0 ? static_cast<size_t>(count) : 0});
  return count > 0;
}

void PipeReader::drain() {
  for (int reads = 0; reads < most_reads && !closed() && read_some(); ++reads) {
  }
}

void PipeReader::close() {
  if (closed()) return;
  if (!paused_) loop_.forget(fd_);
  ::close(std::exchange(fd_, -1));
}

}  // namespace atrium
