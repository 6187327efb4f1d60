// The watchdog timer of a progress thread: it expires when the PE has not driven for a while.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

namespace atrium {

// A PE that drives sets the timer anew, so the thread sleeps on. A thread that woke up every millisecond to see whether the PE still
// drives would take the CPU from it each time. Where the kernel gives no timer, the thread does wake up.
//
// Thread safety: begin() and sleep() are the progress thread's, the others anybody's.
class Watchdog {
 public:
  // The lengths of sleeps. They grow by an eighth: a PE that drives now and then, and between looks at its memory with plain loads, is
  // served after two short ones.
  struct Lengths {
    uint64_t shortest_ns = 50'000, longest_ns = 750'000;
  };

  Watchdog() : Watchdog(Lengths()) {}
  explicit Watchdog(const Lengths& lengths);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // The next sleep is a short one.
  void begin();
  // Until the timer expires, or, then true, until a call. One that came since begin() counts.
  bool sleep();
  // The PE drives; `now` is os/clock.hpp's. The sleep lasts twice as long from now on. A system call, as rarely as that allows.
  void put_off(uint64_t now);
  // The thread shall not sleep.
  void call();

 private:
  void set(uint64_t ns, uint64_t now);
  void grow();

  const Lengths lengths_;
  std::atomic<int> timer_;  // timerfd; below 0: none, and sleeps end by the futex's time limit
  std::atomic<bool> asleep_{false};
  std::atomic<uint32_t> calls_{0};  // futex
  uint32_t calls_before_ = 0;
  std::atomic<uint64_t> length_{0}, expires_at_{0};  // nanoseconds
};

}  // namespace atrium
