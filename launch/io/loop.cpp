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

Loop::Watched& Loop::watched(int fd) {
  const auto place = static_cast<size_t>(fd);
  if (place >= watched_.size()) watched_.resize(place + 1);
  return watched_[place];
}

bool Loop::watch(int fd, uint32_t events, Watcher& watcher) {
  epoll_event event{events, {}};
  event.data.u64 = uint64_t{++watches_} << 32 | static_cast<uint32_t>(fd);
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) == 0) return watched(fd) = {&watcher, watches_}, true;
  if (errno != EPERM) fatal(system_error("cannot follow the job", "epoll_ctl"));  // it would seem to hang
  return false;
}

void Loop::forget(int fd) {
  epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
  watched(fd).watcher = nullptr;
}

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
  if (count < 0 && errno != EINTR) fatal(system_error("cannot follow the job", "epoll_wait"));
  for (int i = 0; i < count; ++i) {
    const Watched of_event = watched(static_cast<int>(events[i].data.u64 & UINT32_MAX));
    if (of_event.watcher && of_event.number == events[i].data.u64 >> 32) of_event.watcher->on_ready();
  }
  fire_timers();
}

}  // namespace atrium
