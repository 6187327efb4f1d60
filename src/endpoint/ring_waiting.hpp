// How a guest waits for its owner.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sched.h>

#include "arch/pause.hpp"
#include "endpoint/ring_client.hpp"
#include "os/clock.hpp"
#include "wait/policy.hpp"

namespace atrium {

// While it lives, the owner sends at once what this PE has asked for; `asks`: also what it has executed before.
class RingClient::Waiter {
 public:
  Waiter(RingClient& client, bool asks);
  ~Waiter() { block_.questions.end_wait(); }
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

 private:
  RingBlock& block_;
};

// Returns when ready() holds: looks, gives the CPU away, then sleeps until something is complete.
template <class Ready>
void RingClient::wait(Ready ready, bool asks) {
  constexpr int64_t longest_sleep_ns = 10'000'000;
  if (ready()) return;
  const Waiter waiter(*this, asks);
  uint32_t looks = 0;
  uint64_t yielding_since = 0;
  while (!ready()) {
    if (may_look_again(looks, yielding_since)) continue;
    const uint32_t seen = block_.done.rings();
    block_.done.announce();
    const bool is_ready = ready();
    if (!is_ready) block_.done.sleep(seen, longest_sleep_ns);
    block_.done.withdraw();
    if (is_ready) return;
  }
}

}  // namespace atrium
