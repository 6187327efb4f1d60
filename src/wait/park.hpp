// Where the threads of a PE sleep, and how other PEs find out that they do.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      The *park slot* is one symmetric object of each PE, in its system memory. A *sleeper* is a
//             thread of that PE that is asleep in the kernel or has decided to go there. A *nap* is one
//             timed sleep.
//
//   ParkSlot, 128 bytes      offset
//     sleepers                 0   threads of this PE asleep or about to be
//     wakes                    4   futex word: grows with every wake
//     offset, bytes            8   the *watched* bytes: only a store that touches them can end the sleep.
//                                  Relative to the park slot of the same PE; bytes is 0 when any store might.
//
// Invariants. Zero-filled memory is a valid slot without sleepers. No pointer is stored. The first sleeper
//             writes all of it before it counts itself, under a lock of its process; a further sleeper only
//             sets bytes to 0.
//
// Protocol (Dekker: full fences on both sides).
//
//   sleeper:  t = wakes; ++sleepers; full fence; is it ready? then up again; else futex_wait(wakes, t, nap)
//   writer:   store the data;        full fence; if sleepers != 0: ++wakes; futex_wake(wakes, all)
//
// Either the writer sees the sleeper, or the sleeper sees the data. AArch64 may delay a store past a later
// load just as x86 does, and in addition reorders loads; `dmb ish` forbids all of it, and it also keeps the
// read of `wakes` before the look at the data. If the writer's ++wakes comes after the sleeper's read,
// futex_wait sees the change under the kernel's lock and returns at once.
//
// Thread safety: any number of sleepers per slot, any number of wakers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "arch/fence.hpp"
#include "wait/policy.hpp"
#include "wait/reason.hpp"

namespace atrium {

struct alignas(128) ParkSlot {
  std::atomic<uint32_t> sleepers;
  std::atomic<uint32_t> wakes;
  std::atomic<int64_t> offset;
  std::atomic<uint64_t> bytes;
};
static_assert(sizeof(ParkSlot) == 128 && offsetof(ParkSlot, offset) == 8 && offsetof(ParkSlot, bytes) == 16,
              "PEs of one job must agree on the layout");
static_assert(std::atomic<uint32_t>::is_always_lock_free && std::atomic<uint64_t>::is_always_lock_free,
              "atomics in shared memory must not depend on a lock of one process");

// Mine. Null until the job has memory; then waits only nap, and notify does nothing.
extern ParkSlot* my_park_slot;

inline ParkSlot* park_slot_at(ptrdiff_t delta) {
  return reinterpret_cast<ParkSlot*>(reinterpret_cast<char*>(my_park_slot) + delta);
}

// Wakes all threads that sleep at `slot`.
void wake(ParkSlot& slot);
// The same, unless the sleeper watches other bytes than these of mine.
void wake_watcher(ParkSlot& slot, const volatile void* address, size_t bytes);

// Where writers do not promise to wake, sleepers test again by themselves after a short nap. Then a load without
// a fence is enough: it finds all sleepers except the latest ones, and those sleep until their nap ends.
inline bool sleeps_at(ptrdiff_t delta) {
  if (!my_park_slot) return false;
  if (writers_must_call()) full_fence();  // SYNC park
  return __builtin_expect(park_slot_at(delta)->sleepers.load(std::memory_order_relaxed) != 0, 0);
}

// "The PE at `delta` may be asleep, waiting for what I have just stored." To be called after every store,
// atomic or copy that a wait could see. Requires: a true delta, never AWAY.
inline void notify(ptrdiff_t delta) {
  if (sleeps_at(delta)) wake(*park_slot_at(delta));
}
// The same, and spares a sleeper who watches something else. `address` is mine, as for the store.
inline void notify(ptrdiff_t delta, const volatile void* address, size_t bytes) {
  if (sleeps_at(delta)) wake_watcher(*park_slot_at(delta), address, bytes);
}

// Sleeps once at my slot for at most `nap_us`, unless ready(subject) holds: then it returns true at once.
// False says nothing.
bool nap(const WaitReason& reason, bool (*ready)(void*), void* subject, uint32_t nap_us);

}  // namespace atrium
