// How a node's segment is divided among its PEs.
// SPDX-License-Identifier: BSD-3-Clause
//
//   0            heaps_at                                      globals_at
//   | lobby | .. | system 0 | heap 0 | .. | system 1 | heap 1 | .. | globals 0 | ...... | globals 1 | ......
//   |
//                 <------ stride ------->                            <----- stride ----->
//
// Both halves have the same stride, so that one delta per PE serves both (arena/map.hpp). The gaps are holes:
// they cost neither memory nor time. Everything begins on a 2 MiB boundary, so that huge pages can back it.
// Parts are numbered by place on the node (topology/placement.hpp). Every node divides its segment alike, for
// as many places as the fullest node has: so (node, place) and this arithmetic find any PE's memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace atrium {

struct Layout {
  int places = 1;
  size_t globals_size = 0;
  size_t system_size = 0;
  size_t heap_size = 0;
  size_t heaps_at = 0;
  size_t globals_at = 0;
  size_t stride = 0;

  size_t heap_offset(int place) const { return heaps_at + static_cast<size_t>(place) * stride; }
  size_t globals_offset(int place) const { return globals_at + static_cast<size_t>(place) * stride; }
  size_t total() const { return globals_offset(places); }
};

// `places` on each node; `lobby_size`: of the largest lobby. Requires: other sizes in whole pages. `overflow` is set when the total does not fit in 62 bits.
Layout divide_segment(int places, size_t lobby_size, size_t globals_size, size_t system_size,
                      size_t heap_size, bool& overflow);

}  // namespace atrium
