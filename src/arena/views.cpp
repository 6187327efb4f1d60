// Maps the peers' parts of the segment into this process's views, and remembers where the views are.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/views.hpp"

#include <sys/mman.h>

#include <vector>

#include "os/memcheck.hpp"

namespace atrium {
namespace {

Views noted;

bool is_in(uintptr_t begin, uintptr_t address) { return begin != 0 && address - begin < noted.bytes; }

void* part_at(const PeerOrder& order, const ViewOf& view, int distance) {
  return reinterpret_cast<void*>(view.begin + order.offset_of(distance));
}

Segment::Part part_of(const PeerOrder& order, const ViewOf& view, int distance) {
  return {part_at(order, view, distance), view.file_begin + order.place_at(distance) * view.stride};
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

Result<void> map_near(Segment& segment, const PeerOrder& order, const ViewOf& view) {
  std::vector<Segment::Part> parts;
  for (int distance = 1; distance < order.places; ++distance)
    if (order.is_near(distance)) parts.push_back(part_of(order, view, distance));
  if (auto r = segment.map_each(parts, view.used); !r) return r;
  show_heads_to_memcheck(order, view);
  leave_out_of_core_dumps(reinterpret_cast<void*>(view.begin), order.bytes());
  return {};
}

Result<void> map_far(Segment& segment, const PeerOrder& order, const ViewOf& view, int distance) {
  const Segment::Part part = part_of(order, view, distance);
  auto mapped = segment.map(part.where, view.used, part.offset);
  if (mapped) leave_out_of_core_dumps(part_at(order, view, distance), view.used);
  return mapped;
}

Result<uintptr_t> map_together(Segment& segment, const PeerOrder& order, const ViewOf& view) {
  const size_t bytes = static_cast<size_t>(order.places) * view.stride;
  void* where = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (where == MAP_FAILED)
    return system_error("cannot reserve address space for the symmetric memory", "mmap")
        .try_this("a smaller SHMEM_SYMMETRIC_SIZE");
  if (auto r = segment.map(where, bytes, view.file_begin); !r) return r.error();
  leave_out_of_core_dumps(where, bytes);
  return reinterpret_cast<uintptr_t>(where);
}

void note_views(const Views& views) { noted = views; }

bool is_in_views(uintptr_t address) { return is_in(noted.heaps, address) || is_in(noted.globals, address); }

}  // namespace atrium
