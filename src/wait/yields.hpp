// The yields of one wait, by which a thread learns whether others want its CPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace atrium {

// Made when a wait begins, gone when it ends. Costs nothing until the first yield.
class Yields {
 public:
  Yields() = default;
  ~Yields() {
    if (count_ > 0) look();
  }
  Yields(const Yields&) = delete;
  Yields& operator=(const Yields&) = delete;

  // Gives the CPU away once. What that shows may shorten the stages of later waits, of all threads.
  void yield();
  // Before the thread sleeps: a sleep says nothing of the CPU, but it may be time to yield again.
  void pause();

 private:
  void begin();
  void look();

  bool has_begun_ = false, is_watched_ = false;
  uint32_t count_ = 0, slices_ = 0;  // since the watch has looked: yields, and those that took a slice
};

}  // namespace atrium
