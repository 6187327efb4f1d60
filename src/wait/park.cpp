// Puts a thread to sleep at its park slot, and wakes those who sleep at another.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/park.hpp"

#include <mutex>

#include "core/per_pe.hpp"
#include "os/futex.hpp"

namespace atrium {

ATRIUM_PER_PE ParkSlot* my_park_slot = nullptr;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

// Before the job has memory (and in a program of one PE that never gets any) sleepers use a slot of this process alone.
ATRIUM_PER_PE ParkSlot private_slot;

ParkSlot& slot_to_sleep_at() { return my_park_slot ? *my_park_slot : private_slot; }

// Guards what the sleepers of this process write into their slot. Held for a few stores, never while asleep.
std::mutex sleepers_lock;

int64_t offset_from(const ParkSlot& slot, const volatile void* address) {
  return reinterpret_cast<intptr_t>(address) - reinterpret_cast<intptr_t>(&slot);
}

void watch(ParkSlot& slot, const WaitReason& reason) {
  slot.offset.store(reason.address ? offset_from(slot, reason.address) : 0, relaxed);
  slot.bytes.store(reason.address ? reason.bytes : 0, relaxed);
}

// While a thread sleeps here, `offset` must not change: a writer may combine it with the old `bytes` and miss the sleeper.
void enter_sleep(ParkSlot& slot, const WaitReason& reason) {
  std::lock_guard guard(sleepers_lock);
  const uint32_t others = slot.sleepers.load(relaxed);
  if (others == 0)
    watch(slot, reason);
  else
    slot.bytes.store(0, relaxed);
  slot.sleepers.store(others + 1, relaxed);
}

void leave_sleep(ParkSlot& slot) {
  std::lock_guard guard(sleepers_lock);
  slot.sleepers.store(slot.sleepers.load(relaxed) - 1, relaxed);
}

bool touches_watched(const ParkSlot& slot, int64_t begin, size_t bytes) {
  const auto watched_bytes = static_cast<int64_t>(slot.bytes.load(relaxed));
  const int64_t watched = slot.offset.load(relaxed);
  return watched_bytes == 0 ||
         (begin < watched + watched_bytes && watched < begin + static_cast<int64_t>(bytes));
}

}  // namespace

bool nap(const WaitReason& reason, bool (*ready)(void*), void* subject, uint32_t nap_us) {
  ParkSlot& slot = slot_to_sleep_at();
  const uint32_t ticket = slot.wakes.load(relaxed);
  enter_sleep(slot, reason);
  full_fence();  // SYNC park
  const bool done = ready(subject);
  if (!done) futex_sleep(slot.wakes, ticket, int64_t{nap_us} * 1000);
  leave_sleep(slot);
  return done;
}

void wake(ParkSlot& slot) {
  slot.wakes.fetch_add(1, relaxed);
  futex_wake_all(slot.wakes);
}

// What we read here of a sleeper's choice may be older than his latest one: then his look at the data came
// after our store, because his fence came after ours. It may be newer than the one that our store ends: then
// that wait is over.
void wake_watcher(ParkSlot& slot, const volatile void* address, size_t bytes) {
  if (touches_watched(slot, offset_from(*my_park_slot, address), bytes)) wake(slot);
}

}  // namespace atrium
