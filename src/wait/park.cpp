// Puts a thread to sleep at its park spot, and wakes those who sleep at another.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/park.hpp"

#include <mutex>

#include "core/per_pe.hpp"
#include "os/futex.hpp"

namespace atrium {

ATRIUM_PER_PE ParkSpot* my_park_spot = nullptr;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

// Before the job has memory (and in a program of one PE that never gets any) sleepers use a spot of this process alone.
ATRIUM_PER_PE ParkSpot private_spot;

ParkSpot& spot_to_sleep_at() { return my_park_spot ? *my_park_spot : private_spot; }

// Guards what the sleepers of this process write into their spot. Held for a few stores, never while asleep.
std::mutex sleepers_lock;

int64_t offset_from(const ParkSpot& spot, const volatile void* address) {
  return reinterpret_cast<intptr_t>(address) - reinterpret_cast<intptr_t>(&spot);
}

void watch(ParkSpot& spot, const WaitReason& reason) {
  spot.offset.store(reason.address ? offset_from(spot, reason.address) : 0, relaxed);
  spot.bytes.store(reason.address ? reason.bytes : 0, relaxed);
}

// While a thread sleeps here, `offset` must not change: a writer may combine it with the old `bytes` and miss the sleeper.
void enter_sleep(ParkSpot& spot, const WaitReason& reason) {
  std::lock_guard guard(sleepers_lock);
  const uint32_t others = spot.sleepers.load(relaxed);
  if (others == 0)
    watch(spot, reason);
  else
    spot.bytes.store(0, relaxed);
  spot.sleepers.store(others + 1, relaxed);
}

void leave_sleep(ParkSpot& spot) {
  std::lock_guard guard(sleepers_lock);
  spot.sleepers.store(spot.sleepers.load(relaxed) - 1, relaxed);
}

bool touches_watched(const ParkSpot& spot, int64_t begin, size_t bytes) {
  const auto watched_bytes = static_cast<int64_t>(spot.bytes.load(relaxed));
  const int64_t watched = spot.offset.load(relaxed);
  return watched_bytes == 0 ||
         (begin < watched + watched_bytes && watched < begin + static_cast<int64_t>(bytes));
}

}  // namespace

bool nap(const WaitReason& reason, bool (*ready)(void*), void* subject, uint32_t nap_us) {
  ParkSpot& spot = spot_to_sleep_at();
  const uint32_t ticket = spot.wakes.load(relaxed);
  enter_sleep(spot, reason);
  full_fence();  // SYNC park
  const bool done = ready(subject);
  if (!done) futex_sleep(spot.wakes, ticket, int64_t{nap_us} * 1000);
  leave_sleep(spot);
  return done;
}

void wake(ParkSpot& spot) {
  spot.wakes.fetch_add(1, relaxed);
  futex_wake_all(spot.wakes);
}

// What we read here of a sleeper's choice may be older than his latest one: then his look at the data came
// after our store, because his fence came after ours. It may be newer than the one that our store ends: then
// that wait is over.
void wake_watcher(ParkSpot& spot, const volatile void* address, size_t bytes) {
  if (touches_watched(spot, offset_from(*my_park_spot, address), bytes)) wake(spot);
}

}  // namespace atrium
