// Where in this process's address space the arenas go.
// SPDX-License-Identifier: BSD-3-Clause
//
//   globals view:   G = my globals     G + skip: peer 1 | ... | peer 2 | ...     (each `spacing` after the other)
//   heap view:      H = my arena       H + skip: peer 1 | ... | peer 2 | ...
//
// "Peer j" is the PE at place (mine + j) mod places of this node. Both views use the same `skip` and `spacing`, hence one delta per PE
// serves globals and heap. G is given by where the executable was loaded; H and `skip` (which may be
// negative) are free to choose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "os/address_space.hpp"

namespace atrium {

// AMD's first-level caches find a line by a hash of bits 12 to 27 of its address, and hold only one of two lines that agree in it
// and in the bits below (Lipp and others, Take A Way, 2020). What a PE writes into a peer's memory often lies at the same place of
// its own, a flag above all, so parts are to be apart by no multiple of this: by huge_page_size more than one.
inline constexpr size_t cache_hash_period = size_t{1} << 28;

struct AddressNeeds {
  uintptr_t globals = 0;  // G; 0 when the executable has no writable data
  size_t own = 0;         // bytes of my arena at H
  size_t peers = 0;       // (places - 1) * spacing: bytes of each view of the peers
  size_t alignment = 0;   // of skip
  size_t system = 0;      // bytes of my arena in front of the heap
  size_t heap_alignment =
      0;  // of H + system: the same on every PE, so that an offset is as aligned here as there
};

struct ArenaAddresses {
  uintptr_t heap = 0;  // H
  ptrdiff_t skip = 0;
};

// How far apart a PE sees its peers' parts where addresses cost nothing: at least `part`, whole huge pages, apart in caches
// where that fits. What follows my
// static data, the C library's heap above all, then ends before the part of the peer after next begins, so that
// my address of it plus a peer's delta is in the hole behind that peer's static data, which has no access.
size_t generous_spacing(size_t part, int places);

// A placement in which my arena and both views of the peers lie in free ranges and do not overlap.
std::optional<ArenaAddresses> find_addresses(std::vector<AddressRange> free, const AddressNeeds& needs);

}  // namespace atrium
