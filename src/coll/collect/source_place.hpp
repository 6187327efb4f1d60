// Where a member's source lies, told to the others.
// SPDX-License-Identifier: BSD-3-Clause
//
// A member that brings nothing may have passed NULL, so a member finds no source of another one by its own.
#pragma once

#include <cstring>

#include "team/team.hpp"
#include "transport/address.hpp"

namespace atrium {

inline constexpr size_t source_place_bytes = sizeof(RemoteAddress);

// Requires: the source is not of 0 bytes.
inline void tell_source(std::byte* place, const Team& team, const void* source) {
  const RemoteAddress address = remote_address(source, team.world_pe(team.me));
  std::memcpy(place, &address, sizeof address);
}

// My address of it, which leads to that member's copy.
inline const std::byte* told_source(const std::byte* place) {
  RemoteAddress address;
  std::memcpy(&address, place, sizeof address);
  return my_address(address);
}

}  // namespace atrium
