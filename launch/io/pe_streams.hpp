// The streams of the PEs of a host: where their input comes from, and where their output goes.
// SPDX-License-Identifier: BSD-3-Clause
//
// Both are oshrun's own streams (input.hpp, output.hpp), or frames to the oshrun that the user started, on another
// host (fed_input.hpp, relay.hpp).
#pragma once

namespace atrium {

class PeInput {
 public:
  // The descriptor that becomes this PE's standard input; it stays ours. -1, with errno: there is none.
  virtual int stream_of(int pe) = 0;
  // All PEs have theirs: starts copying.
  virtual void start() = 0;
  // PE `pe` has ended: its input is discarded.
  virtual void drop(int pe) = 0;

 protected:
  ~PeInput() = default;
};

class PeOutput {
 public:
  // Takes the read ends of a PE's two pipes.
  virtual void add(int pe, int out_fd, int error_fd) = 0;

 protected:
  ~PeOutput() = default;
};

}  // namespace atrium
