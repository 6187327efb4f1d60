// Reads one output pipe of a PE, splits it into lines, and tags them if asked.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/stream.hpp"

#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace atrium {
namespace {

// What is longer goes on in pieces, and so does what would make the unfinished lines of all PEs together longer than the second:
// hundreds of PEs may write without a line end.
constexpr size_t longest_line = size_t{64} << 20, most_kept = size_t{256} << 20;
constexpr size_t large = 1 << 20;
constexpr Loop::Milliseconds prompt_rest(100);

}  // namespace

Stream::Stream(Loop& loop, int fd, Sink& sink, std::string tag)
    : loop_(loop),
      pipe_(loop,
            [this](std::string_view bytes) {
              if (!bytes.empty()) return take(bytes);
              if (errno != 0) sink_.lose({"read", errno});
            }),
      sink_(sink),
      tag_(std::move(tag)) {
  if (fd >= 0) pipe_.open(fd);
}

void Stream::take(std::string_view bytes) {
  const size_t last = bytes.rfind('\n');
  if (last != std::string_view::npos) {
    partial_ += bytes.substr(0, last + 1);
    pass_on(partial_);
    clear();
    bytes.remove_prefix(last + 1);
  }
  partial_ += bytes;
  count_kept();
  if (partial_.size() > longest_line || sink_.unfinished() > most_kept) flush_tail(false);
  if (!partial_.empty() && sink_.terminal()) show_unfinished();
}

void Stream::pass_on(std::string_view lines) {
  if (tag_.empty()) return sink_.write_lines(this, lines);
  std::string tagged;
  for (bool has_tag = sink_.is_open_for(this); !lines.empty(); has_tag = false) {
    const size_t end = std::min(lines.find('\n'), lines.size() - 1) + 1;
    if (!has_tag) tagged += tag_;
    tagged += lines.substr(0, end);
    lines.remove_prefix(end);
  }
  sink_.write_lines(this, tagged);
}

void Stream::flush_tail(bool end_line) {
  if (partial_.empty()) return;
  if (end_line) {
    partial_ += '\n';
    pass_on(partial_);
  } else {
    if (!sink_.is_open_for(this)) partial_.insert(0, tag_);
    sink_.write_open(this, partial_);
  }
  clear();
}

void Stream::clear() {
  partial_.clear();
  if (partial_.capacity() > large) partial_.shrink_to_fit();
  count_kept();
}

void Stream::count_kept() {
  sink_.add_unfinished(partial_.size() - counted_);
  counted_ = partial_.size();
}

// For a user who watches: a line that is overwritten (progress) at once, and one that has rested (a
// question to the user does not end its line) after a moment.
void Stream::show_unfinished() {
  if (partial_.find('\r') != std::string::npos) return flush_tail(false);
  loop_.after(prompt_rest, [this, size = partial_.size()] {
    if (partial_.size() == size) flush_tail(false);
  });
}

void Stream::follow_sink() {
  if (sink_.broken())
    pipe_.close();  // the PE then learns about it as any writer into a closed pipe does
  else
    pipe_.pause(sink_.backlogged());
}

}  // namespace atrium
