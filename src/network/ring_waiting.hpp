// How a PE without an endpoint waits for the PE whose endpoint it uses.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "network/ring_client.hpp"
#include "wait/stages.hpp"

namespace atrium {

// While it lives, the owner sends at once what this PE waits for; `asks`: also what it has executed before.
class RingClient::Waiter {
 public:
  Waiter(RingClient& client, bool asks);
  ~Waiter() { block_.questions.end_wait(); }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

 private:
  RingBlock& block_;
};

// Returns when ready() holds: tests it, then yields the CPU, then sleeps until the bell rings.
template <class Ready>
void RingClient::wait(Ready ready, bool asks, Doorbell& bell) {
  constexpr int64_t longest_sleep_ns = 10'000'000;
  if (ready()) return;
  const Waiter waiter(*this, asks);
  WaitStages stages(spins_now(), wait_policy().blocks);
  while (!ready()) {
    if (may_look_again(stages)) continue;
    const uint32_t seen = bell.rings();
    bell.announce();
    const bool is_ready = ready();
    if (!is_ready) bell.sleep(seen, longest_sleep_ns);
    bell.withdraw();
    if (is_ready) return;
  }
}

// For a condition that is tested under the lock, which is held before and after, and may be held by others meanwhile.
template <class Ready>
void RingClient::wait_holding(Ready ready, bool asks, Doorbell& bell) {
  if (ready()) return;
  lock_.unlock();
  wait(
      [&] {
        lock_.lock();
        if (ready()) return true;
        lock_.unlock();
        return false;
      },
      asks, bell);
}

}  // namespace atrium
