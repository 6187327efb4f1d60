// What gdb says of a crashed process, without what it says of itself and of the handler that has called it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium {

// Fed line by line. Of each thread the title and the frames pass, those of a handler and of what it has called do not: they are
// in front of a line "<signal handler called>". For use in a handler: it neither allocates nor throws.
class DebuggerTrace {
 public:
  constexpr DebuggerTrace() = default;
  // Before the first piece: where it goes.
  void pass_to(int descriptor) { descriptor_ = descriptor; }
  // What has been read: any piece, ending anywhere.
  void take(const char* text, size_t bytes);
  // After the last piece. Whether there was any frame.
  bool end();

 private:
  void take_line();
  void hold();
  void flush();

  int descriptor_ = -1;
  char line_[512] = {};  // what is longer is cut
  size_t length_ = 0;
  char held_[8192] = {};  // a thread's frames, until it is known whether a handler is below them
  size_t held_bytes_ = 0;
  bool holds_ = false, in_trace_ = false, has_frames_ = false;
};

}  // namespace atrium
