// A parcel: what a member of a collect sends the others first: how much it brings, and the data itself while
// it is small, else where it lies.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>

#include "coll/barrier/barrier.hpp"
#include "coll/collect/source_place.hpp"
#include "coll/steps/direction.hpp"
#include "coll/steps/transfer.hpp"
#include "team/team.hpp"

namespace atrium {

// How many bytes a parcel's block has.
inline size_t bytes_in(const std::byte* parcel) {
  size_t bytes;
  std::memcpy(&bytes, parcel, sizeof bytes);
  return bytes;
}

// A parcel without data.
inline constexpr size_t bare_parcel_bytes = sizeof(size_t) + source_place_bytes;
inline void pack_bare_parcel(std::byte* parcel, const Team& team, const void* block, size_t bytes) {
  std::memcpy(parcel, &bytes, sizeof bytes);
  if (bytes > 0) tell_source(parcel + sizeof bytes, team, block);
}
// Where its block lies. Requires: the block is not of 0 bytes.
inline const std::byte* source_in(const std::byte* parcel) { return told_source(parcel + sizeof(size_t)); }

// Returns the parcel's length. `capacity`: bytes of the parcel, 8 for the count among them, and bare_parcel_bytes at least.
inline size_t pack_parcel(std::byte* parcel, size_t capacity, const Team& team, const void* block,
                          size_t bytes) {
  if (bytes > capacity - sizeof bytes) {
    pack_bare_parcel(parcel, team, block, bytes);
    return bare_parcel_bytes;
  }
  std::memcpy(parcel, &bytes, sizeof bytes);
  if (bytes > 0) copy(parcel + sizeof bytes, block, bytes);
  return sizeof bytes + bytes;
}

// The bytes of all blocks before that of `member`.
template <class BytesOf>
size_t bytes_before(int member, BytesOf bytes_of) {
  size_t bytes = 0;
  for (int earlier = 0; earlier < member; ++earlier) bytes += bytes_of(earlier);
  return bytes;
}

// Writes my block into every member's dest at `place`, an address of mine.
inline void write_everywhere(const Team& team, std::byte* place, const void* source, size_t bytes) {
  for (int step = 1; step <= team.size; ++step) put_to(team, team.after(step), place, source, bytes);
}

// Writes my block of `bytes` into every member's dest. bytes_of(member): of every member's block.
template <class BytesOf>
void write_my_block(const Team& team, void* dest, const void* source, size_t bytes, BytesOf bytes_of) {
  write_everywhere(team, static_cast<std::byte*>(dest) + bytes_before(team.me, bytes_of), source, bytes);
}

// Reads every member's block of at least `least` bytes, whose parcel is bare, into my dest: mine first, then those behind it, so
// that not all begin with the same one.
template <class ParcelOf>
void read_blocks(const Team& team, void* dest, size_t least, ParcelOf parcel_of) {
  const auto bytes_of = [&](int member) { return bytes_in(parcel_of(member)); };
  std::byte* place = static_cast<std::byte*>(dest) + bytes_before(team.me, bytes_of);
  for (int step = 0; step < team.size; ++step) {
    const int member = team.after(step);
    if (member == 0) place = static_cast<std::byte*>(dest);
    const size_t bytes = bytes_of(member);
    if (bytes >= least) get_from(team, member, place, source_in(parcel_of(member)), bytes);
    place += bytes;
  }
}

// Unpacks all parcels in order. Blocks too large for their parcels are read by all, or written into every dest by
// their owners. Who writes in any case does so as soon as the counts of those before it are there. parcel_of(member) also
// for myself.
template <class ParcelOf>
void unpack_parcels(Team& team, void* dest, const void* source, size_t capacity, ParcelOf parcel_of) {
  const size_t least = capacity - sizeof capacity + 1;  // too large for a parcel
  const bool reads = may_read(team);
  std::byte* place = static_cast<std::byte*>(dest);
  bool any_large = false;
  for (int member = 0; member < team.size; ++member) {
    const std::byte* parcel = parcel_of(member);
    const size_t bytes = bytes_in(parcel);
    const bool large = bytes >= least;
    if (!large && bytes > 0) copy(place, parcel + sizeof bytes, bytes);
    if (large && !reads && member == team.me) write_everywhere(team, place, source, bytes);
    place += bytes;
    any_large |= large;
  }
  if (!any_large) return;  // all saw the same counts, so all agree on this
  if (reads) {
    const auto bytes_of = [&](int member) { return bytes_in(parcel_of(member)); };
    const size_t mine = bytes_of(team.me), all = static_cast<size_t>(place - static_cast<std::byte*>(dest));
    if (all <= own_cache)
      read_blocks(team, dest, least, parcel_of);
    else if (mine >= least)
      write_my_block(team, dest, source, mine, bytes_of);
  }
  synchronise(team);
}

}  // namespace atrium
