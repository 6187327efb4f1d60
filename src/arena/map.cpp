// Builds this PE's arena: moves its globals into the segment, maps the peers and fills in the deltas.
// SPDX-License-Identifier: BSD-3-Clause
//
// Of each peer two mappings, its static data and its system area with its heap, in the two views. What lies between them is a
// hole: reserved, and without access, so that an address that is not symmetric faults (check/stray_access.hpp). That is so for
// the peers that follow in the order of places, up to a number; those farther away are mapped together, holes
// included, or starting all PEs of a node would take mappings with the square of their number.
#include "arena/map.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <string>

#include "arena/arena.hpp"
#include "arena/delta_table.hpp"
#include "arena/fork_guard.hpp"
#include "arena/globals.hpp"
#include "arena/reserve.hpp"
#include "arena/system.hpp"
#include "arena/views.hpp"
#include "core/per_pe.hpp"
#include "core/settings.hpp"
#include "os/memcheck.hpp"
#include "os/memory_limits.hpp"
#include "os/page.hpp"

namespace atrium {

ATRIUM_PER_PE Arena arena{.delta = nowhere_table()};

namespace {

const ptrdiff_t* world_delta = nullptr;

constexpr int most_apart = 63;  // peers (docs/design/memory.md has what a mapping costs)

struct Builder {
  Segment& segment;
  const Layout& layout;
  const DataSegment& data;
  const Placement& pes;
  ArenaAddresses addresses;
  size_t spacing = 0;  // of the peers' parts in each view

  size_t peers() const { return static_cast<size_t>(pes.places() - 1) * spacing; }
  uintptr_t heap_view() const { return addresses.heap + static_cast<uintptr_t>(addresses.skip); }
  uintptr_t globals_view() const { return data.begin + static_cast<uintptr_t>(addresses.skip); }

  Result<ArenaAddresses> reserve(size_t distance) {
    spacing = distance;
    const uintptr_t globals = data.size() ? data.begin : 0;
    return reserve_addresses(
        {globals, layout.stride, peers(), huge_page_size, layout.system_size, heap_alignment});
  }

  int apart() const { return std::min(pes.places() - 1, most_apart); }

  // What is mapped together lies as in the file; a ulimit counts reserved addresses, and valgrind keeps notes of them.
  bool must_be_close() const {
    return apart() < pes.places() - 1 || address_space_left() != SIZE_MAX || under_memcheck();
  }

  Result<void> find_room() {
    const size_t generous = must_be_close() ? layout.stride : generous_spacing(layout.stride, pes.places());
    auto reserved = reserve(generous);
    if (!reserved && generous != layout.stride) reserved = reserve(layout.stride);
    if (!reserved)
      return reserved.error().while_doing("placing " + std::to_string(pes.places()) + " arenas of " +
                                          format_size(layout.stride));
    addresses = *reserved;
    return {};
  }

  // The place on this node of the peer that is `distance` behind me.
  size_t place_at(int distance) const { return static_cast<size_t>((pes.place() + distance) % pes.places()); }
  size_t offset_of(int distance) const { return static_cast<size_t>(distance - 1) * spacing; }

  // Of each peer's part the head is in use: its globals, or its system area and the blocks of its heap, which
  // memory.cpp shows one by one.
  void show_head_to_memcheck(void* part, size_t bytes, size_t head) {
    if (!under_memcheck()) return;
    hide_from_memcheck(part, bytes);
    show_to_memcheck(part, head);
  }

  // How many of the peers from `distance` on lie one behind the other in the file.
  int count_together(int distance) const {
    return std::min(pes.places() - distance, pes.places() - static_cast<int>(place_at(distance)));
  }

  // The peers' parts of one half of the file, which begins at `half`: `bytes` of each, or all of what is mapped together.
  Result<void> map_view(uintptr_t view, size_t half, size_t bytes, size_t head) {
    for (int distance = 1, count; distance < pes.places(); distance += count) {
      const bool alone = distance <= apart();
      count = alone ? 1 : count_together(distance);
      auto* part = reinterpret_cast<void*>(view + offset_of(distance));
      const size_t length = alone ? bytes : static_cast<size_t>(count) * layout.stride;
      if (auto r = segment.map(part, length, half + place_at(distance) * layout.stride); !r) return r;
    }
    for (int distance = 1; distance < pes.places(); ++distance)
      show_head_to_memcheck(reinterpret_cast<void*>(view + offset_of(distance)), bytes, head);
    // A core dump of one PE need not hold the memory of all.
    ::madvise(reinterpret_cast<void*>(view), peers(), MADV_DONTDUMP);
    return {};
  }

  Result<void> map_everything() {
    auto* own = reinterpret_cast<void*>(addresses.heap);
    // The globals are copied through the place where the heap will be: it is reserved and unused yet.
    if (auto r = move_globals(segment, data, layout.globals_offset(pes.place()), own); !r) return r;
    const size_t mine = layout.system_size + layout.heap_size;
    if (auto r = segment.map(own, mine, layout.heap_offset(pes.place())); !r) return r;
    if (layout.stride > mine)  // scratch beyond the heap, if any is left, goes back to being nothing
      ::mmap(reinterpret_cast<void*>(addresses.heap + mine), layout.stride - mine, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (auto r = map_view(heap_view(), layout.heaps_at, mine, layout.system_size); !r) return r;
    return data.size() ? map_view(globals_view(), layout.globals_at, data.size(), data.size())
                       : Result<void>{};
  }

  Result<void> fill_deltas() {
    auto table = create_delta_table(pes.pes(), Guard::every_int);
    if (!table) return table.error();
    for (int distance = 1; distance < pes.places(); ++distance) {
      (*table)[pes.pes_here()[place_at(distance)]] =
          addresses.skip + static_cast<ptrdiff_t>(offset_of(distance));
    }
    (*table)[pes.me()] = 0;
    world_delta = *table;
    return {};
  }
};

}  // namespace

Result<void> build_arena(Segment& segment, const Layout& layout, const DataSegment& data,
                         const Placement& pes) {
  Builder builder{segment, layout, data, pes, {}, {}};
  if (auto r = builder.find_room(); !r) return r;
  if (auto r = builder.map_everything(); !r) return r;
  if (auto r = builder.fill_deltas(); !r) return r;
  if (auto r = guard_fork(segment, data, layout.globals_offset(pes.place())); !r) return r;

  auto* own = reinterpret_cast<std::byte*>(builder.addresses.heap);
  auto* globals = reinterpret_cast<std::byte*>(data.begin);
  arena.system = own;
  arena.system_size = layout.system_size;
  const auto fill = [](Range range, std::byte* origin, std::byte* begin, size_t bytes) {
    arena[range] = {arena[range].name, begin, bytes, origin};
  };
  fill(Range::globals, globals, globals, data.size());
  fill(Range::heap, own, own + layout.system_size, layout.heap_size);
  note_views({builder.heap_view(), data.size() ? builder.globals_view() : 0, builder.peers()});
  back_system_area(segment, layout.heap_offset(pes.place()));
  reopen_arena();
  return {};
}

void reopen_arena() {
  arena.delta = world_delta;
  open_system_area(arena.system_size);
}

void close_arena() { arena.delta = nowhere_table(); }

}  // namespace atrium
