// Waiting until memory that another PE writes has changed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
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

// What must go on while a thread waits: the network, in jobs that span nodes.
struct Meanwhile {
  bool (*look)() = nullptr;          // now and then; whether anything has come since the last look
  void (*before_sleep)() = nullptr;  // before the thread sleeps in the kernel
};
// Not thread safe; before any wait. Empty: nothing.
void set_meanwhile(const Meanwhile& what);

namespace detail {
extern Meanwhile meanwhile;
inline constexpr uint32_t looks_here_per_look_away = 32;  // they cost 35 ns, and 150 to 500
// So many looks with a pause before each; whether ready() held. Nothing else is in this loop: where two PEs share a
// core, a test more in it made a barrier 10 % slower.
template <class Ready>
bool spin(Ready ready, uint32_t looks) {
  for (; looks > 0; --looks) {
    pause();
    if (ready()) return true;
  }
  return false;
}
// The same, and the network has its turns meanwhile.
template <class Ready>
bool spin_and_look(Ready ready, uint32_t looks) {
  while (looks > 0) {
    const uint32_t here = std::min(looks, looks_here_per_look_away);
    if (spin(ready, here)) return true;
    if (meanwhile.look) meanwhile.look();
    looks -= here;
  }
  return false;
}
// The stages after spinning: yield, then block.
void wait_patiently(const WaitReason& reason, bool (*ready)(void*), void* subject);
void yield();
void yield_sometimes();
}  // namespace detail

// The first stage, of jobs in which nothing else must go on: whether ready() held before the policy's looks were
// used up. It calls nothing, so the caller keeps everything in registers.
template <Condition Ready>
bool spin_until(Ready ready) {
  if (ready()) return true;
  return !detail::meanwhile.look && detail::spin(ready, spins_now());
}

// The rest: yields, then blocks as the policy says.
template <Condition Ready>
[[gnu::noinline]] void wait_longer(const WaitReason& reason, Ready ready) {
  if (detail::meanwhile.look && detail::spin_and_look(ready, spins_now())) return;
  detail::wait_patiently(
      reason, [](void* subject) -> bool { return (*static_cast<Ready*>(subject))(); }, &ready);
}

// Returns once ready() holds. Only the calling thread waits. The thread that makes the condition true calls
// notify(delta of this PE) afterwards.
template <Condition Ready>
void wait_for(const WaitReason& reason, Ready ready) {
  if (!spin_until(ready)) wait_longer(reason, ready);
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
// The functions that report them. Called by the waiting thread: `begin` once, `looked` whenever it has looked in vain since
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
