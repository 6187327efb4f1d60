// Where in this process's address space the arenas go.
// SPDX-License-Identifier: BSD-3-Clause
//
//   globals view:   G = my globals     G + skip: peer 1 | peer 2 | ...     (each `stride` after the other)
//   heap view:      H = my arena       H + skip: peer 1 | peer 2 | ...
//
// "Peer j" is the PE at place (mine + j) mod places of this node. Both views use the same `skip` and `stride`, hence one delta per PE
// serves globals and heap. G is given by where the executable was loaded; H and `skip` (which may be
// negative) are free to choose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "os/address_space.hpp"

namespace atrium {

struct AddressNeeds {
  uintptr_t globals = 0;  // G; 0 when the executable has no writable data
  size_t own = 0;         // bytes of my arena at H
  size_t peers = 0;       // (places - 1) * stride: bytes of each view of the peers
  size_t alignment = 0;   // of skip
  size_t system = 0;      // bytes of my arena in front of the heap
  size_t heap_alignment =
      0;  // of H + system: the same on every PE, so that an offset is as aligned here as there
};

struct ArenaAddresses {
  uintptr_t heap = 0;  // H
  ptrdiff_t skip = 0;
};

// A placement in which my arena and both views of the peers lie in free ranges and do not overlap.
std::optional<ArenaAddresses> find_addresses(std::vector<AddressRange> free, const AddressNeeds& needs);

}  // namespace atrium
