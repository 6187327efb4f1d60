// A parcel: what a member of a collect tells the others first: how much it brings, and the data itself while
// it is small.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>

#include "coll/barrier/barrier.hpp"
#include "coll/steps/transfer.hpp"
#include "team/team.hpp"

namespace atrium {

// How many bytes a parcel's block has.
inline size_t bytes_in(const std::byte* parcel) {
  size_t bytes;
  std::memcpy(&bytes, parcel, sizeof bytes);
  return bytes;
}

// Returns the parcel's length. `room`: bytes of the parcel, 8 for the count among them.
inline size_t pack_parcel(std::byte* parcel, size_t room, const void* block, size_t bytes) {
  std::memcpy(parcel, &bytes, sizeof bytes);
  if (bytes > room - sizeof bytes) return sizeof bytes;
  if (bytes > 0) copy(parcel + sizeof bytes, block, bytes);
  return sizeof bytes + bytes;
}

// Writes my block into every member's dest at `place`, an address of mine.
inline void put_everywhere(const Team& team, std::byte* place, const void* source, size_t bytes) {
  for (int step = 1; step <= team.size; ++step) {
    put_to(team, team.after(step), place, source, bytes);
  }
}

// Unpacks all parcels in order. A block too large for its parcel is written into every dest by its owner, who
// knows from the counts where it goes: writing needs one sync, reading would need the same one and waits for
// lines that are in a peer's cache. parcel_of(member) also for myself.
template <class ParcelOf>
void unpack_parcels(Team& team, void* dest, const void* source, size_t room, ParcelOf parcel_of) {
  std::byte* place = static_cast<std::byte*>(dest);
  bool any_large = false;
  for (int member = 0; member < team.size; ++member) {
    const std::byte* parcel = parcel_of(member);
    const size_t bytes = bytes_in(parcel);
    const bool large = bytes > room - sizeof bytes;
    if (!large && bytes > 0) copy(place, parcel + sizeof bytes, bytes);
    if (large && member == team.me) put_everywhere(team, place, source, bytes);
    place += bytes;
    any_large |= large;
  }
  if (any_large) synchronise(team);  // all saw the same counts, so all agree on this
}

}  // namespace atrium
