// Computes the offsets of all PEs' heaps and globals in the segment.
// SPDX-License-Identifier: BSD-3-Clause
#include "segment/layout.hpp"

#include <algorithm>

#include "os/page.hpp"

namespace atrium {

Layout divide_segment(int places, size_t lobby_size, size_t globals_size, size_t system_size,
                      size_t heap_size, bool& overflow) {
  constexpr size_t limit = size_t{1} << 62;
  Layout layout;
  layout.places = places;
  layout.globals_size = globals_size;
  layout.system_size = system_size;
  layout.heap_size = heap_size;
  overflow = globals_size > limit / 8 || heap_size > limit / 8;
  if (overflow) return layout;
  // A hole of at least one huge page behind each part, so that an overrun faults.
  const size_t largest = std::max(system_size + heap_size, globals_size);
  layout.stride = round_up(largest, huge_page_size) + huge_page_size;
  layout.heaps_at = round_up(lobby_size, huge_page_size);
  overflow = layout.stride > limit / 4 / static_cast<size_t>(places);
  if (overflow) return layout;
  layout.globals_at = layout.heap_offset(places);
  return layout;
}

}  // namespace atrium
