// How the job's one segment is divided among the PEs of the node.
// SPDX-License-Identifier: BSD-3-Clause
//
//   0            heaps_at                                      globals_at
//   | lobby | .. | system 0 | heap 0 | .. | system 1 | heap 1 | .. | globals 0 | ...... | globals 1 | ......
//   |
//                 <------ stride ------->                            <----- stride ----->
//
// Both halves have the same stride, so that one delta per PE serves both (arena/map.hpp). The gaps are holes:
// they cost neither memory nor time. Everything begins on a 2 MiB boundary, so that huge pages can back it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace atrium {

struct Layout {
  int npes = 1;
  size_t globals_size = 0;
  size_t system_size = 0;
  size_t heap_size = 0;
  size_t heaps_at = 0;
  size_t globals_at = 0;
  size_t stride = 0;

  size_t heap_offset(int pe) const { return heaps_at + static_cast<size_t>(pe) * stride; }
  size_t globals_offset(int pe) const { return globals_at + static_cast<size_t>(pe) * stride; }
  size_t total() const { return globals_offset(npes); }
};

// Requires: sizes in whole pages. `overflow` is set when the total does not fit in 62 bits.
Layout divide_segment(int npes, size_t globals_size, size_t system_size, size_t heap_size, bool& overflow);

}  // namespace atrium
