// How a PE waits for the network: it drives the endpoint, and rests when nothing comes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "network/endpoint.hpp"
#include "wait/yields.hpp"

namespace atrium {

// Between fruitless turns: looks again at once, then gives the CPU away, then sleeps until something comes.
class Endpoint::Patience {
 public:
  template <class Ready>
  Patience(Endpoint& endpoint, Ready& ready)
      : endpoint_(endpoint), me_{[](void* subject) { return (*static_cast<Ready*>(subject))(); }, &ready} {
    endpoint_.waiters_.fetch_add(1);
  }
  ~Patience() {
    endpoint_.waiters_.fetch_sub(1);
    if (!endpoint_.sleepers_.is_empty()) endpoint_.sleepers_.call_successor();
  }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;
  // Something has come.
  void reset() { looks_ = 0, yielding_since_ = 0; }
  // Requires: the lock is held; it is free meanwhile.
  void rest();

 private:
  void sleep();

  Endpoint& endpoint_;
  Sleepers::Sleeper me_;
  uint32_t looks_ = 0;
  int naps_ = 0;
  uint64_t yielding_since_ = 0;
  Yields yields_;
};

// Requires: the lock is held; others may hold it meanwhile, and call ready() instead of the waiting thread, so that it may be
// called again after it has held. Returns when it holds, or the endpoint has failed.
template <class Ready>
void Endpoint::wait(Ready ready) {
  if (ready() || has_failed()) return;
  send_all();
  Patience patience(*this, ready);
  while (!has_failed()) {
    const int came = drive();
    if (ready()) return;
    came > 0 ? patience.reset() : patience.rest();
  }
}

}  // namespace atrium
