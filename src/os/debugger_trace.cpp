// Filters the output of `gdb -batch -ex "thread apply all bt"` line by line.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/debugger_trace.hpp"

#include <unistd.h>

#include <cstring>
#include <string_view>

namespace atrium {
namespace {

void put(int descriptor, const char* text, size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = ::write(descriptor, text, bytes);
    if (written <= 0) return;  // the reader has gone
    text += written;
    bytes -= static_cast<size_t>(written);
  }
}

bool begins_with(std::string_view line, std::string_view what) { return line.substr(0, what.size()) == what; }

}  // namespace

void DebuggerTrace::take(const char* text, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    if (length_ < sizeof line_ - 1 && text[i] != '\n') line_[length_++] = text[i];
    if (text[i] == '\n') take_line();
  }
}

bool DebuggerTrace::end() {
  if (length_ > 0) take_line();
  flush();
  return has_frames_;
}

void DebuggerTrace::take_line() {
  const std::string_view line(line_, length_);
  const bool is_title = begins_with(line, "Thread ");
  const bool is_frame = begins_with(line, "#");
  if (is_title) flush(), in_trace_ = holds_ = true;
  if (!is_title && !is_frame && !begins_with(line, " "))
    in_trace_ = false;  // a frame's arguments are indented
  has_frames_ = has_frames_ || is_frame;
  line_[length_] = '\n';
  if (in_trace_ && holds_ && line.find("<signal handler called>") != line.npos)
    held_bytes_ = 0, holds_ = false;
  else if (in_trace_ && holds_ && !is_title)
    hold();
  else if (in_trace_)
    put(descriptor_, line_, length_ + 1);
  length_ = 0;
}

// A trace that does not fit has no handler in its first frames, or one that is of no interest.
void DebuggerTrace::hold() {
  if (held_bytes_ + length_ + 1 > sizeof held_) {
    flush();
    return put(descriptor_, line_, length_ + 1);
  }
  std::memcpy(held_ + held_bytes_, line_, length_ + 1);
  held_bytes_ += length_ + 1;
}

void DebuggerTrace::flush() {
  put(descriptor_, held_, held_bytes_);
  held_bytes_ = 0;
  holds_ = false;
}

}  // namespace atrium
