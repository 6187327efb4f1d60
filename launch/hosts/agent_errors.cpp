// Reads standard error and keeps the text until its line is complete.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts/agent_errors.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace atrium {
namespace {

constexpr size_t most_kept = 4096;  // for a message

}  // namespace

AgentErrors::AgentErrors(Loop& loop, int fd) : loop_(loop), fd_(fd) {
  ::fcntl(fd_, F_SETFL, O_NONBLOCK);
  loop_.watch(fd_, EPOLLIN, *this);
}

void AgentErrors::show_to(FarOutput& output) {
  output_ = &output;
  show(false);
}

void AgentErrors::drain() {
  while (fd_ >= 0 && read_some()) {
  }
  show(true);
}

bool AgentErrors::read_some() {
  char chunk[1024];
  const ssize_t n = ::read(fd_, chunk, sizeof chunk);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (n <= 0) return close(), false;
  text_.append(chunk, static_cast<size_t>(n));
  if (!output_ && text_.size() > most_kept) text_.erase(0, text_.size() - most_kept);
  show(false);
  return true;
}

void AgentErrors::show(bool all) {
  if (!output_) return;
  const size_t end = all ? text_.size() : text_.rfind('\n') + 1;  // npos + 1 is 0
  if (end == 0) return;
  output_->say(text_.substr(0, end) + (text_[end - 1] == '\n' ? "" : "\n"));
  text_.erase(0, end);
}

void AgentErrors::close() {
  if (fd_ < 0) return;
  loop_.forget(fd_);
  ::close(fd_);
  fd_ = -1;
}

}  // namespace atrium
