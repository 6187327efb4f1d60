// Waiting until memory that another PE writes has changed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>

#include "arch/pause.hpp"
#include "wait/park.hpp"
#include "wait/policy.hpp"
#include "wait/polling.hpp"

namespace atrium {

// A condition on memory. It reads with acquire what its success publishes, has no side effect before it
// succeeds, and does not wait.
template <class Ready>
concept Condition = requires(Ready ready) {
  { ready() } -> std::convertible_to<bool>;
};

// What else must go on while a thread waits: the network, in jobs that span nodes.
struct Meanwhile {
  bool (*look)() = nullptr;          // now and then; whether anything has come since the last look
  void (*before_sleep)() = nullptr;  // before the thread sleeps in the kernel
};
// Not thread safe; before any wait. Empty: nothing.
void set_meanwhile(const Meanwhile& what);

namespace detail {
extern Meanwhile meanwhile;
// An on-node look costs 35 ns, one at the network 150 to 500.
inline void look_meanwhile(uint32_t looks) {
  if (looks % 32 == 0 && __builtin_expect(meanwhile.look != nullptr, 0)) meanwhile.look();
}
// The stages after spinning: yield, then block.
void wait_patiently(const WaitReason& reason, bool (*ready)(void*), void* subject);
void yield();
void yield_sometimes();
}  // namespace detail

// Returns once ready() holds: spins, yields, then blocks as the policy says. Only the calling thread waits.
// Whoever makes the condition true calls notify(delta of this PE) afterwards.
template <Condition Ready>
void wait_for(const WaitReason& reason, Ready ready) {
  if (ready()) return;
  for (uint32_t spins = wait_policy().spins; spins > 0; --spins) {
    pause();
    if (ready()) return;
    detail::look_meanwhile(spins);
  }
  detail::wait_patiently(
      reason, [](void* subject) -> bool { return (*static_cast<Ready*>(subject))(); }, &ready);
}

template <Condition Ready>
void wait_for(Ready ready) {
  wait_for(WaitReason{}, ready);
}

// A wait that has lasted a second, in the words of the thread that waits.
struct LongWait {
  const WaitReason& reason;
  uint64_t since_ns = 0;  // CLOCK_MONOTONIC
  int thread = 0;         // these two are the watcher's
  uint64_t round = 0;
};
// Who wants to know of them. Called by the waiting thread: `begin` once, `looked` whenever it has looked in vain since
// the last call, and `end` when the wait is over, before anything else is done.
struct LongWaits {
  void (*begin)(LongWait& wait) = nullptr;
  void (*looked)(LongWait& wait) = nullptr;
  void (*end)(LongWait& wait) = nullptr;
};
// Not thread safe; before any wait.
void watch_long_waits(const LongWaits& watcher);

// Programs also wait in loops of their own: they test, or fetch a peer's flag over and over. Where PEs share
// CPUs the one they wait for may need theirs. To be called when a test has failed ...
inline void give_way() {
  tested_in_vain();
  if (__builtin_expect(detail::meanwhile.look != nullptr, 0)) detail::meanwhile.look();
  if (writers_must_call()) detail::yield();
}
// ... and after a look that may be one of many such: gives way now and then.
inline void looked() {
  if (writers_must_call()) detail::yield_sometimes();
}

}  // namespace atrium
