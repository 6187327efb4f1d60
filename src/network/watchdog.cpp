// Sleeps on a timer whose expiry another thread may put off.
// SPDX-License-Identifier: BSD-3-Clause
#include "network/watchdog.hpp"

#include <poll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>

#include "os/clock.hpp"
#include "os/futex.hpp"

namespace atrium {
namespace {

bool set_timer(int timer, uint64_t ns) {
  constexpr uint64_t second = 1'000'000'000;
  const itimerspec once{{}, {static_cast<time_t>(ns / second), static_cast<long>(ns % second)}};
  return ::timerfd_settime(timer, 0, &once, nullptr) == 0;
}

}  // namespace

Watchdog::Watchdog(const Lengths& lengths)
    : lengths_(lengths), timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)) {}

Watchdog::~Watchdog() {
  if (timer_ >= 0) ::close(timer_);
}

// A timer that cannot be set is not ours any more: the program has closed it.
void Watchdog::set(uint64_t ns, uint64_t now) {
  expires_at_.store(now + ns, std::memory_order_relaxed);
  const int timer = timer_;
  if (timer >= 0 && !set_timer(timer, ns)) timer_ = -1;
}

void Watchdog::grow() {
  const uint64_t length = length_.load(std::memory_order_relaxed);
  length_.store(std::min(length + length / 8, lengths_.longest_ns), std::memory_order_relaxed);
}

void Watchdog::put_off(uint64_t now) {
  if (!asleep_ || timer_ < 0) return;
  const uint64_t length = length_.load(std::memory_order_relaxed);
  if (now + length / 4 < expires_at_.load(std::memory_order_relaxed)) return;
  set(2 * length, now);
  grow();
}

void Watchdog::begin() {
  calls_before_ = calls_;
  length_.store(lengths_.shortest_ns, std::memory_order_relaxed);
}

// A caller that has not seen `asleep_`, or whose setting of the timer is overwritten here, has counted before.
bool Watchdog::sleep() {
  const uint64_t length = length_.load(std::memory_order_relaxed);
  asleep_ = true;
  set(length, now_ns());
  pollfd descriptor{timer_, POLLIN, 0};
  if (descriptor.fd < 0)
    futex_sleep(calls_, calls_before_, static_cast<int64_t>(length));
  else if (calls_ == calls_before_)
    ::poll(&descriptor, 1, -1);
  asleep_ = false;
  grow();
  return calls_ != calls_before_;
}

void Watchdog::call() {
  calls_.fetch_add(1);
  if (!asleep_) return;
  const int timer = timer_;
  if (timer < 0 || !set_timer(timer, 1)) futex_wake_all(calls_);
}

}  // namespace atrium
