// Falling asleep, waking others, and saying what is slept for.
// SPDX-License-Identifier: BSD-3-Clause
#include "wait/park.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <iterator>
#include <mutex>
#include <string>

#include "core/log.hpp"
#include "os/clock.hpp"
#include "os/futex.hpp"

namespace atrium {

ParkSpot* my_park_spot = nullptr;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

// Before the job has memory (and in a program of one PE that never gets any) sleepers use a spot nobody else
// sees.
ParkSpot private_spot;

ParkSpot& spot_to_sleep_at() { return my_park_spot ? *my_park_spot : private_spot; }

// Guards what the sleepers of this process write into their spot. Held for a few stores, never while asleep.
std::mutex sleepers_lock;

int64_t offset_from(const ParkSpot& spot, const volatile void* address) {
  return reinterpret_cast<intptr_t>(address) - reinterpret_cast<intptr_t>(&spot);
}

uint32_t pack_comparison(const char* text) {
  const auto first = static_cast<unsigned char>(text[0]);
  return first ? first | static_cast<uint32_t>(static_cast<unsigned char>(text[1])) << 8 : 0;
}

// A sleeper who naps again for the same reason is asleep since the first time.
bool describes(const ParkSpot& spot, const WaitReason& reason, int64_t offset) {
  return spot.kind.load(relaxed) == static_cast<uint32_t>(reason.kind) &&
         spot.offset.load(relaxed) == offset && spot.value.load(relaxed) == reason.value;
}

void describe(ParkSpot& spot, const WaitReason& reason) {
  const int64_t offset = reason.address ? offset_from(spot, reason.address) : 0;
  if (!describes(spot, reason, offset)) spot.since_ns.store(now_ns(), relaxed);
  spot.offset.store(offset, relaxed);
  spot.bytes.store(reason.address ? reason.bytes : 0, relaxed);
  spot.value.store(reason.value, relaxed);
  spot.comparison.store(pack_comparison(reason.comparison), relaxed);
  spot.kind.store(static_cast<uint32_t>(reason.kind), relaxed);
}

// While somebody sleeps here, `offset` must stay his: a writer may combine it with the old `bytes` and miss
// him.
void enter_sleep(ParkSpot& spot, const WaitReason& reason) {
  std::lock_guard guard(sleepers_lock);
  const uint32_t others = spot.sleepers.load(relaxed);
  if (others == 0)
    describe(spot, reason);
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

void forget_wait() {
  ParkSpot& spot = spot_to_sleep_at();
  std::lock_guard guard(sleepers_lock);
  if (spot.sleepers.load(relaxed) == 0) spot.kind.store(0, relaxed);
}

void note_wait() {
  char text[160];
  if (const size_t length = describe_wait(spot_to_sleep_at(), text, sizeof text))
    note(std::string(text, length));
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

size_t describe_wait(const ParkSpot& spot, char* text, size_t room) {
  static constexpr const char* kinds[] = {"nothing",   "a value",      "a signal", "a lock",
                                          "a barrier", "a collective", "start-up", "another PE"};
  const uint32_t kind = spot.kind.load(relaxed);
  if (kind == 0 || kind >= std::size(kinds) || room == 0) return 0;
  const uint32_t packed = spot.comparison.load(relaxed);
  const char comparison[3] = {static_cast<char>(packed), static_cast<char>(packed >> 8), 0};
  const uint64_t seconds = (now_ns() - spot.since_ns.load(relaxed)) / 1'000'000'000;
  int length;
  if (packed == 0) {
    length = std::snprintf(text, room, "has waited %" PRIu64 " s for %s", seconds, kinds[kind]);
  } else {
    const auto address =
        reinterpret_cast<uintptr_t>(&spot) + static_cast<uintptr_t>(spot.offset.load(relaxed));
    length = std::snprintf(text, room, "has waited %" PRIu64 " s for %s at 0x%" PRIxPTR " to be %s %" PRId64,
                           seconds, kinds[kind], address, comparison,
                           static_cast<int64_t>(spot.value.load(relaxed)));
  }
  return std::min(static_cast<size_t>(std::max(length, 0)), room - 1);
}

}  // namespace atrium
