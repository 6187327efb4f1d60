// The event loop, by epoll and a list of timers.
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/io/loop.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>

#include "core/log.hpp"

namespace atrium {

Loop::Loop() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
  if (epoll_ < 0) fatal(system_error("cannot prepare the job", "epoll_create1"));
}

bool Loop::watch(int fd, uint32_t events, Watcher& watcher) {
  epoll_event event{events, {&watcher}};
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) == 0) return true;
  if (errno != EPERM) fatal(system_error("cannot follow the job", "epoll_ctl"));  // it would seem to hang
  return false;
}

void Loop::forget(int fd) { epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr); }

void Loop::after(Milliseconds delay, std::function<void()> action) {
  timers_.push_back({Clock::now() + delay, std::move(action)});
}

int Loop::next_timeout() const {
  if (timers_.empty()) return -1;
  const auto next = std::min_element(timers_.begin(), timers_.end(),
                                     [](const Timer& a, const Timer& b) { return a.due < b.due; });
  const auto left = std::chrono::ceil<Milliseconds>(next->due - Clock::now()).count();
  return static_cast<int>(std::clamp<long>(left, 0, INT_MAX));
}

void Loop::fire_timers() {
  const auto now = Clock::now();
  const auto due =
      std::stable_partition(timers_.begin(), timers_.end(), [&](const Timer& t) { return t.due > now; });
  std::vector<Timer> firing(std::make_move_iterator(due), std::make_move_iterator(timers_.end()));
  timers_.erase(due, timers_.end());  // before they run: they may add new ones
  for (Timer& timer : firing) timer.action();
}

void Loop::turn() {
  epoll_event events[64];
  const int count = epoll_wait(epoll_, events, 64, next_timeout());
  for (int i = 0; i < count; ++i) static_cast<Watcher*>(events[i].data.ptr)->on_ready();
  fire_timers();
}

}  // namespace atrium
