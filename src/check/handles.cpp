// A table of addresses with linear probing, and the one of the locks that are held.
// SPDX-License-Identifier: BSD-3-Clause
#include "check/handles.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <utility>

#include "core/never_destroyed.hpp"

namespace atrium {
namespace {

constexpr size_t fewest_places = 16;

struct LockedHandles {
  std::mutex mutex;
  HandleSet alive;
};
ATRIUM_CONSTINIT_VECTOR NeverDestroyed<LockedHandles> kept_handles;

}  // namespace

// The golden ratio spreads addresses that differ by a multiple of their size.
size_t HandleSet::home_of(const void* handle) const {
  return (reinterpret_cast<uintptr_t>(handle) * 0x9e3779b97f4a7c15) >> 32 & (places_.size() - 1);
}

// Where it is, or the free place where it would be. Requires: there are places.
size_t HandleSet::place_of(const void* handle) const {
  size_t place = home_of(handle);
  while (places_[place] && places_[place] != handle) place = after(place);
  return place;
}

void HandleSet::grow() {
  const std::vector<const void*> before =
      std::exchange(places_, std::vector<const void*>(std::max(2 * places_.size(), fewest_places)));
  for (const void* handle : before)
    if (handle) places_[place_of(handle)] = handle;
}

void HandleSet::insert(const void* handle) {
  if (2 * (count_ + 1) > places_.size()) grow();
  const void*& place = places_[place_of(handle)];
  if (!place) ++count_;
  place = handle;
}

// What follows without a gap is put where it is found from its home.
bool HandleSet::erase(const void* handle) {
  if (!contains(handle)) return false;
  size_t place = place_of(handle);
  places_[place] = nullptr;
  --count_;
  while (places_[place = after(place)]) {
    const void* const moved = std::exchange(places_[place], nullptr);
    places_[place_of(moved)] = moved;
  }
  return true;
}

void register_handle(const void* handle) {
  std::lock_guard guard(kept_handles.object.mutex);
  kept_handles.object.alive.insert(handle);
}

void forget_handle(const void* handle) {
  std::lock_guard guard(kept_handles.object.mutex);
  kept_handles.object.alive.erase(handle);
}

bool is_known_handle(const void* handle) {
  std::lock_guard guard(kept_handles.object.mutex);
  return kept_handles.object.alive.contains(handle);
}

}  // namespace atrium
