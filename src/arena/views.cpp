// Maps the peers' parts of the segment into this process's views, and remembers where the views are.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/views.hpp"

#include <sys/mman.h>

#include "os/memcheck.hpp"

namespace atrium {
namespace {

Views noted;

bool is_in(uintptr_t begin, uintptr_t address) { return begin != 0 && address - begin < noted.bytes; }

void* part_at(const PeerOrder& order, const ViewOf& view, int distance) {
  return reinterpret_cast<void*>(view.begin + order.offset_of(distance));
}

Segment::Part part_of(const PeerOrder& order, const ViewOf& view, int distance) {
  return {part_at(order, view, distance), view.used,
          view.file_begin + order.place_at(distance) * view.stride};
}

// A core dump of one PE need not hold the memory of all.
void leave_out_of_core_dumps(void* begin, size_t bytes) { ::madvise(begin, bytes, MADV_DONTDUMP); }

// Shows the beginning of each peer's part, which is in use: its globals, or its system area. The blocks of its heap are
// shown one by one (memory.cpp).
void show_heads_to_memcheck(const PeerOrder& order, const ViewOf& view) {
  if (!under_memcheck()) return;
  for (int distance = 1; distance < order.places; ++distance) {
    hide_from_memcheck(part_at(order, view, distance), view.used);
    show_to_memcheck(part_at(order, view, distance), view.head);
  }
}

}  // namespace

void add_near_parts(std::vector<Segment::Part>& parts, const PeerOrder& order, const ViewOf& view) {
  for (int distance = 1; distance < order.places; ++distance)
    if (order.is_near(distance)) parts.push_back(part_of(order, view, distance));
}

void finish_view(const PeerOrder& order, const ViewOf& view) {
  show_heads_to_memcheck(order, view);
  leave_out_of_core_dumps(reinterpret_cast<void*>(view.begin), order.bytes());
}

Result<void> map_far(Segment& segment, const PeerOrder& order, const ViewOf& heaps, const ViewOf& globals,
                     int distance) {
  const Segment::Part parts[] = {part_of(order, heaps, distance), part_of(order, globals, distance)};
  auto mapped = segment.map_each(parts);
  if (mapped)
    for (const Segment::Part& part : parts) leave_out_of_core_dumps(part.where, part.length);
  return mapped;
}

Result<uintptr_t> map_together(Segment& segment, const PeerOrder& order, const ViewOf& view) {
  const size_t bytes = static_cast<size_t>(order.places) * view.stride;
  auto where = segment.map_anywhere(bytes, view.file_begin);
  if (!where) return where.error().try_this("a smaller SHMEM_SYMMETRIC_SIZE");
  leave_out_of_core_dumps(*where, bytes);
  return reinterpret_cast<uintptr_t>(*where);
}

void note_views(const Views& views) { noted = views; }

bool is_in_views(uintptr_t address) { return is_in(noted.heaps, address) || is_in(noted.globals, address); }

}  // namespace atrium
