// A thread of control that runs until it stops by itself.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>

namespace atrium::sim {

// The stacks of many fibers, each above an inaccessible page.
class Stacks {
 public:
  static constexpr size_t bytes = size_t{256}
                                  << 10;  // address space: pages that are not reached cost nothing

  explicit Stacks(size_t count);
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  std::byte* operator[](size_t i) const { return memory_ + i * bytes; }

 private:
  size_t count_;
  std::byte* memory_;
};

class Fiber {
 public:
  // `body` must not return: it stops for ever instead.
  Fiber(std::byte* stack, std::function<void()> body);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Called outside; returns when the fiber stops.
  void resume();
  // Called inside; returns when it is resumed.
  void stop();

 private:
  static void enter();

  std::function<void()> body_;
  void *outside_ = nullptr, *inside_;  // stack pointers, of the one that does not run
};

}  // namespace atrium::sim
