// Operations that are numbered as they begin and end in any order.
// SPDX-License-Identifier: BSD-3-Clause
//
// "None is under way" may never become true while further ones begin; "all up to number n have ended" does.
// Invariant. `ended_` is about the numbers from `first_` to `last_`, and begins with one that has not ended.
// Thread safety: none; the caller serialises.
#pragma once

#include <cstdint>

#include "wire/queue.hpp"

namespace atrium {

class UnderWay {
 public:
  // Returns its number: 1, 2, ...
  uint64_t begin() { return ended_.push_back(false), ++last_; }
  // Requires: that one has begun and not ended.
  void end(uint64_t number) {
    ended_[number - first_] = true;
    for (; !ended_.empty() && ended_.front(); ++first_) ended_.pop_front();
  }

  uint64_t last_begun() const { return last_; }
  bool have_ended(uint64_t up_to) const { return up_to < first_; }
  bool is_idle() const { return ended_.empty(); }
  uint64_t oldest() const { return is_idle() ? 0 : first_; }

 private:
  Queue<uint8_t> ended_;
  uint64_t first_ = 1, last_ = 0;
};

}  // namespace atrium
