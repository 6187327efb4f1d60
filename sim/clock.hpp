// Virtual time: what happens when, in one fixed order.
// SPDX-License-Identifier: BSD-3-Clause
//
// Invariants. Events happen by their time, and those of one time in the order in which they were entered: the same
//             calls give the same history, on every machine. Time is whole picoseconds, since sums of rounded fractions
//             would depend on the processor.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

namespace atrium::sim {

using Time = int64_t;  // picoseconds
inline constexpr Time nanosecond = 1000;
inline constexpr Time microsecond = 1000 * nanosecond;
inline constexpr Time never = std::numeric_limits<Time>::max();

class Clock {
 public:
  using Act = std::function<void()>;

  // Requires: `when` is not past.
  void at(Time when, Act act) { events_.push({when, ++entered_, std::move(act)}); }
  // The next event's time, or `never`.
  Time next() const { return events_.empty() ? never : events_.top().when; }
  Time now() const { return now_; }
  uint64_t happened() const { return happened_; }

  // Lets the next event happen. False: there is none.
  bool step() {
    if (events_.empty()) return false;
    const Act act = std::move(const_cast<Event&>(events_.top()).act);
    now_ = events_.top().when;
    events_.pop();
    ++happened_;
    act();
    return true;
  }

 private:
  struct Event {
    Time when;
    uint64_t number;
    Act act;
  };
  struct Later {
    bool operator()(const Event& a, const Event& b) const {
      return a.when != b.when ? a.when > b.when : a.number > b.number;
    }
  };

  std::priority_queue<Event, std::vector<Event>, Later> events_;
  Time now_ = 0;
  uint64_t entered_ = 0, happened_ = 0;
};

}  // namespace atrium::sim
