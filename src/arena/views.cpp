// Maps the peers' parts of the segment into this process's views, and remembers where the views are.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/views.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "os/memcheck.hpp"

namespace atrium {
namespace {

Views noted;

bool is_in(uintptr_t begin, uintptr_t address) { return begin != 0 && address - begin < noted.bytes; }

void* part_at(const PeerOrder& order, const ViewOf& view, int distance) {
  return reinterpret_cast<void*>(view.begin + order.offset_of(distance));
}

// How many of the peers from `distance` on lie one behind the other in the file.
int count_together(const PeerOrder& order, int distance) {
  return std::min(order.places - distance, order.places - static_cast<int>(order.place_at(distance)));
}

// Of each peer's part the head is in use: its globals, or its system area and the blocks of its heap, which
// memory.cpp shows one by one.
void show_heads_to_memcheck(const PeerOrder& order, const ViewOf& view) {
  if (!under_memcheck()) return;
  for (int distance = 1; distance < order.places; ++distance) {
    hide_from_memcheck(part_at(order, view, distance), view.used);
    show_to_memcheck(part_at(order, view, distance), view.head);
  }
}

}  // namespace

int PeerOrder::apart() const { return std::min(places - 1, most_apart); }

Result<void> map_view(Segment& segment, const PeerOrder& order, const ViewOf& view) {
  for (int distance = 1, count; distance < order.places; distance += count) {
    const bool alone = distance <= order.apart();
    count = alone ? 1 : count_together(order, distance);
    const size_t length = alone ? view.used : static_cast<size_t>(count) * view.stride;
    const size_t offset = view.file_begin + order.place_at(distance) * view.stride;
    if (auto r = segment.map(part_at(order, view, distance), length, offset); !r) return r;
  }
  show_heads_to_memcheck(order, view);
  // A core dump of one PE need not hold the memory of all.
  ::madvise(reinterpret_cast<void*>(view.begin), order.bytes(), MADV_DONTDUMP);
  return {};
}

void note_views(const Views& views) { noted = views; }

bool is_in_views(uintptr_t address) { return is_in(noted.heaps, address) || is_in(noted.globals, address); }

}  // namespace atrium
