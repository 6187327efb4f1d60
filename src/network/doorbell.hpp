// Wakes threads that sleep in another process, by shared memory alone: no descriptor is passed, and no right is needed.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol (Dekker: full fences on both sides, as wait/park.hpp).
//
//   sleeper:  t = rings(); announce(); has anything come? then withdraw(); else sleep(t), withdraw()
//   ringer:   store what has come; ring()
//
// Either the ringer sees the sleeper, or the sleeper sees what has come. A thread that has announced itself may also sleep in
// poll(), if another thread of its process sleeps here in its place (network/ring_thread.hpp).
//
// Invariants. Zero-filled memory is a bell without sleepers.
// Thread safety: any number of sleepers and ringers, in any process that has the bell mapped.
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/fence.hpp"
#include "os/futex.hpp"

namespace atrium {

class Doorbell {
 public:
  uint32_t rings() const { return rings_.load(std::memory_order_acquire); }  // SYNC doorbell
  void announce() {
    sleepers_.fetch_add(1, std::memory_order_relaxed);
    full_fence();  // SYNC doorbell
  }
  void withdraw() { sleepers_.fetch_sub(1, std::memory_order_relaxed); }
  // Until it has rung since rings() was `seen`, at most so long (for ever if negative).
  void sleep(uint32_t seen, int64_t longest_ns = -1) { futex_sleep(rings_, seen, longest_ns); }

  void ring() {
    ring_if([] { return true; });
  }
  // `needed` looks at memory behind the fence.
  template <class Needed>
  void ring_if(Needed needed) {
    full_fence();  // SYNC doorbell
    if (sleepers_.load(std::memory_order_relaxed) != 0 && needed()) ring_anyhow();
  }
  // Whether or not a sleeper has announced itself.
  void ring_anyhow() {
    rings_.fetch_add(1, std::memory_order_release);  // SYNC doorbell
    futex_wake_all(rings_);
  }

 private:
  std::atomic<uint32_t> sleepers_{0}, rings_{0};
};
static_assert(sizeof(Doorbell) == 8, "PEs of one node must agree on the layout");

}  // namespace atrium
