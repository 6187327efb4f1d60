// Merges the output of all PEs: two streams of each PE into oshrun's two sinks.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace atrium {
namespace {

bool same_file(int a, int b) {
  struct stat first {
  }, second{};
  return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino && first.st_rdev == second.st_rdev;
}

}  // namespace

Error lost_output(const char* call) {
  const bool is_closed = errno == EBADF;
  return system_error("some output is lost", call)
      .try_this(is_closed ? ">/dev/null where nobody wants it" : "more room where the output goes");
}

Output::Output(Loop& loop, bool tag_lines)
    : loop_(loop),
      tag_lines_(tag_lines),
      separate_error_(same_file(STDOUT_FILENO, STDERR_FILENO)
                          ? nullptr
                          : std::make_unique<Sink>(loop, STDERR_FILENO, [this] { follow_sinks(); })),
      out_(loop, STDOUT_FILENO, [this] { follow_sinks(); }),
      error_(separate_error_ ? *separate_error_ : out_) {}

void Output::add(int pe, int out_fd, int error_fd) { open(pe, out_fd, error_fd, std::to_string(pe)); }

void Output::add_distant(int pe, const std::string& host) {
  open(pe, -1, -1, std::to_string(pe) + "@" + host);
}

void Output::open(int pe, int out_fd, int error_fd, const std::string& name) {
  const std::string tag = tag_lines_ ? "[" + name + "] " : "";
  const auto number = static_cast<size_t>(pe);
  if (pairs_.size() <= number) pairs_.resize(number + 1, none);
  if (pairs_[number] == none) pairs_[number] = streams_.size();
  streams_.emplace_back(loop_, out_fd, out_, tag);
  streams_.emplace_back(loop_, error_fd, error_, tag);
}

void Output::take(int pe, bool is_error, std::string_view bytes) {
  if (Stream* stream = find(pe, is_error)) stream->take(bytes);
}

Stream* Output::find(int pe, bool is_error) {
  const auto number = static_cast<size_t>(pe);
  if (number >= pairs_.size() || pairs_[number] == none) return nullptr;
  return &streams_[pairs_[number] + (is_error ? 1 : 0)];
}

void Output::finish_pe(int pe) {
  for (const bool is_error : {false, true}) {
    Stream* stream = find(pe, is_error);
    if (!stream) continue;
    stream->drain();
    stream->flush_tail(tag_lines_);
  }
}

void Output::say(const std::string& text) { error_.write_lines(this, text); }

void Output::show(const std::string& lines) {
  if (error_.terminal())
    error_.write_footer(lines);
  else
    say(lines);
}

void Output::follow_sinks() {
  for (Stream& stream : streams_) stream.follow_sink();
  if (follower_) follower_();
}

void Output::drain() {
  for (Stream& stream : streams_) {
    stream.drain();
    stream.flush_tail(tag_lines_);
  }
}

void Output::close() {
  drain();
  for (Stream& stream : streams_) stream.close();
  while (!out_.empty() || !error_.empty()) loop_.turn();
}

}  // namespace atrium
