// How a PE waits for the network: it drives the endpoint, and rests when nothing comes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "network/endpoint.hpp"
#include "os/not_cancelled.hpp"
#include "wait/stages.hpp"

namespace atrium {

// Between turns without result: first turns again at once, then yields the CPU, then sleeps until something comes.
class Endpoint::Waiter {
 public:
  template <class Ready>
  Waiter(Endpoint& endpoint, Ready& ready)
      : endpoint_(endpoint), me_{[](void* subject) { return (*static_cast<Ready*>(subject))(); }, &ready} {
    endpoint_.waiters_.fetch_add(1);
  }
  ~Waiter() {
    endpoint_.waiters_.fetch_sub(1);
    if (!endpoint_.sleepers_.is_empty()) endpoint_.sleepers_.call_successor();
  }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  // Something has come.
  void reset() { stages_.reset(); }
  // Requires: the lock is held; it is free meanwhile.
  void rest();

 private:
  void sleep();

  Endpoint& endpoint_;
  Sleepers::Sleeper me_;
  // A turn without result costs about as much as ten tests of a word in memory.
  WaitStages stages_{spins_now() / 8, true};
  int naps_ = 0;
};

// Requires: the lock is held; others may hold it meanwhile, and call ready() instead of the waiting thread, so that it may be
// called again after it has held. Returns when it holds, or the endpoint has failed.
template <class Ready>
void Endpoint::wait(Ready ready) {
  if (ready() || has_failed()) return;
  const NotCancelled with_lock;
  send_all();
  Waiter waiter(*this, ready);
  while (!has_failed()) {
    const int came = drive();
    if (ready()) return;
    came > 0 ? waiter.reset() : waiter.rest();
  }
}

}  // namespace atrium
