// The event loop: descriptors and timers, one thread.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/epoll.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

namespace atrium {

// Called when a descriptor is ready. Lives until that descriptor is forgotten.
class Watcher {
 public:
  virtual void on_ready() = 0;

 protected:
  ~Watcher() = default;
};

class Loop {
 public:
  using Milliseconds = std::chrono::milliseconds;

  Loop();

  // False when this kind of descriptor cannot be waited for (a regular file: always ready).
  bool watch(int fd, uint32_t events, Watcher& watcher);
  // From now on its watcher is not called, not even for what is known already of this turn.
  void forget(int fd);

  // Calls `action` once, later. It cannot be cancelled: it has to check whether it still applies.
  void after(Milliseconds delay, std::function<void()> action);

  // Waits for the next event or timer, and serves what is due.
  void turn();

 private:
  using Clock = std::chrono::steady_clock;
  struct Timer {
    Clock::time_point due;
    std::function<void()> action;
  };
  // The watcher of a descriptor. Events carry the number: those of an earlier descriptor of this value have another one.
  struct Watched {
    Watcher* watcher = nullptr;
    uint32_t number = 0;
  };

  Watched& watched(int fd);
  int next_timeout() const;
  void fire_timers();

  int epoll_;
  uint32_t watches_ = 0;          // so far
  std::vector<Watched> watched_;  // by descriptor
  std::vector<Timer> timers_;
};

}  // namespace atrium
