// A first-in, first-out queue for channels: there are many of them, and in each little or nothing waits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace atrium {

// Takes no memory before it is used, where a std::deque takes 600 bytes. Each item is moved once more on average.
template <class T>
class Queue {
 public:
  bool empty() const { return gone_ == items_.size(); }
  size_t size() const { return items_.size() - gone_; }
  T& front() { return items_[gone_]; }
  const T& front() const { return items_[gone_]; }
  T& operator[](size_t i) { return items_[gone_ + i]; }

  void push_back(const T& item) { items_.push_back(item); }
  void pop_front() {
    if (++gone_ < size()) return;
    items_.erase(items_.begin(), items_.begin() + static_cast<ptrdiff_t>(gone_));
    gone_ = 0;
  }

 private:
  std::vector<T> items_;
  size_t gone_ = 0;  // the first ones are no longer in it
};

}  // namespace atrium
