// Maps the parts of all PEs one behind the other, and finds in them where a PE sleeps.
// SPDX-License-Identifier: BSD-3-Clause
#include "job/node_view.hpp"

#include <sys/mman.h>

#include <atomic>

#include "arena/arena.hpp"
#include "os/page.hpp"
#include "wait/park.hpp"

namespace atrium {
namespace {

// A PE's heap, and its static data with what is left of its part: a hole of the segment, at most a huge page.
Result<void> map_part(Segment& segment, const Layout& layout, const NodeMemory& memory, int place) {
  char* heap = memory.view + memory.layout.heap_at(place);
  char* globals = memory.view + memory.layout.globals_at(place);
  const uint64_t rest = memory.layout.part_bytes - memory.layout.heap_bytes;
  if (auto r = segment.map(heap, memory.layout.heap_bytes, layout.heap_offset(place)); !r) return r;
  return rest == 0 ? Result<void>{} : segment.map(globals, rest, layout.globals_offset(place));
}

// It lies where mine does in my heap.
ParkSlot* park_slot_of(const NodeMemory& memory, int local) {
  if (!my_park_slot) return nullptr;
  const auto offset = static_cast<size_t>(reinterpret_cast<std::byte*>(my_park_slot) - arena.system);
  return reinterpret_cast<ParkSlot*>(memory.view + memory.layout.heap_at(local) + offset);
}

}  // namespace

// Parts begin on a huge page, as heaps do in the segment.
NodeLayout layout_of_view(const Layout& segment) {
  const size_t heap = segment.system_size + segment.heap_size;
  return {heap, segment.globals_size, round_up(heap + segment.globals_size, huge_page_size)};
}

Result<NodeMemory> map_view_of_node(Segment& segment, const Layout& layout, int pes) {
  NodeMemory memory{nullptr, pes, layout_of_view(layout)};
  void* view = ::mmap(nullptr, memory.bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (view == MAP_FAILED) return system_error("cannot map the node's memory for the network", "mmap");
  memory.view = static_cast<char*>(view);
  for (int place = 0; place < pes; ++place) {
    if (auto r = map_part(segment, layout, memory, place); !r) return r.error();
  }
  ::madvise(view, memory.bytes(), MADV_DONTDUMP);
  return memory;
}

void wake_pe_in(void* view, int local, uint64_t, uint64_t) {
  ParkSlot* slot = park_slot_of(*static_cast<const NodeMemory*>(view), local);
  if (!slot) return;
  if (writers_must_call()) full_fence();  // SYNC park
  if (slot->sleepers.load(std::memory_order_relaxed) != 0) wake(*slot);
}

}  // namespace atrium
