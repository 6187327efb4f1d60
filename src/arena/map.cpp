// Builds this PE's arena: moves its globals into the segment, maps the peers and fills in the deltas.
// SPDX-License-Identifier: BSD-3-Clause
//
// The peers are mapped into two views, one of their static data and one of their system areas and heaps (arena/views.hpp).
#include "arena/map.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <string>
#include <vector>

#include "arena/arena.hpp"
#include "arena/delta_table.hpp"
#include "arena/far_peers.hpp"
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

ATRIUM_PER_PE Arena arena{.delta = nowhere_table(), .system_delta = nowhere_table()};

namespace {

const ptrdiff_t *world_delta = nullptr, *world_system_delta = nullptr;

struct Builder {
  Segment& segment;
  const Layout& layout;
  const DataSegment& data;
  const Placement& pes;
  ArenaAddresses addresses;
  PeerOrder order{pes.place(), pes.places(), must_be_close() ? pes.places() - 1 : near_peers(pes.places())};

  ViewOf heaps() const {
    return {heap_view(), layout.heaps_at, layout.stride, layout.system_size + layout.heap_size,
            layout.system_size};
  }
  ViewOf globals() const {
    return {globals_view(), layout.globals_at, layout.stride, data.size(), data.size()};
  }
  uintptr_t heap_view() const { return addresses.heap + static_cast<uintptr_t>(addresses.skip); }
  uintptr_t globals_view() const { return data.begin + static_cast<uintptr_t>(addresses.skip); }

  Result<ArenaAddresses> reserve(size_t distance) {
    order.spacing = distance;
    const uintptr_t globals = data.size() ? data.begin : 0;
    return reserve_addresses(
        {globals, layout.stride, order.bytes(), huge_page_size, layout.system_size, heap_alignment});
  }

  // A ulimit counts reserved addresses, and valgrind keeps notes of them.
  static bool must_be_close() { return address_space_left() != SIZE_MAX || under_memcheck(); }

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

  Result<void> map_everything() {
    auto* own = reinterpret_cast<void*>(addresses.heap);
    // The globals are copied through the place where the heap will be: it is reserved and unused yet.
    if (auto r = move_globals(segment, data, layout.globals_offset(pes.place()), own); !r) return r;
    const size_t mine = layout.system_size + layout.heap_size;
    if (data.size() > mine)  // what they have left beyond the heap goes back to being nothing
      ::mmap(own, layout.stride, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return map_heap_and_peers({own, mine, layout.heap_offset(pes.place())});
  }

  Result<void> map_heap_and_peers(const Segment::Part& heap) {
    std::vector<Segment::Part> parts{heap};
    add_near_parts(parts, order, heaps());
    if (data.size()) add_near_parts(parts, order, globals());
    if (auto r = segment.map_each(parts); !r) return r;
    finish_view(order, heaps());
    if (data.size()) finish_view(order, globals());
    return {};
  }

  Result<void> fill_deltas() {
    auto table = create_delta_table(pes.pes(), Guard::every_int);
    if (!table) return table.error();
    for (int distance = 1; distance < pes.places(); ++distance)
      if (order.is_near(distance))
        (*table)[pes.pes_here()[order.place_at(distance)]] =
            addresses.skip + static_cast<ptrdiff_t>(order.offset_of(distance));
    (*table)[pes.me()] = 0;
    world_delta = world_system_delta = *table;
    if (order.near == pes.places() - 1) return {};
    note_far_peers({&segment, order, heaps(), globals(), addresses.skip, *table});
    return fill_system_deltas();
  }

  // Those of near peers lead to where they are seen anyway, which is apart in caches (arena/addresses.hpp).
  Result<void> fill_system_deltas() {
    auto table = create_inner_table(pes.pes());
    if (!table) return table.error();
    auto together = map_together(segment, order, heaps());
    if (!together) return together.error();
    for (int place = 0; place < pes.places(); ++place) {
      const int pe = pes.pes_here()[static_cast<size_t>(place)];
      const ptrdiff_t known = world_delta[pe];
      (*table)[pe] = known != ATRIUM_AWAY
                         ? known
                         : static_cast<ptrdiff_t>(*together + static_cast<size_t>(place) * layout.stride -
                                                  addresses.heap);
    }
    world_system_delta = *table;
    return {};
  }
};

}  // namespace

Result<void> build_arena(Segment& segment, const Layout& layout, const DataSegment& data,
                         const Placement& pes) {
  Builder builder{segment, layout, data, pes, {}};
  if (auto r = builder.find_room(); !r) return r;
  if (auto r = builder.map_everything(); !r) return r;
  if (auto r = builder.fill_deltas(); !r) return r;
  guard_fork(segment, data, layout.globals_offset(pes.place()));

  auto* own = reinterpret_cast<std::byte*>(builder.addresses.heap);
  auto* globals = reinterpret_cast<std::byte*>(data.begin);
  arena.system = own;
  arena.system_size = layout.system_size;
  const auto fill = [](Range range, std::byte* origin, std::byte* begin, size_t bytes) {
    arena[range] = {arena[range].name, begin, bytes, origin};
  };
  fill(Range::globals, globals, globals, data.size());
  fill(Range::heap, own, own + layout.system_size, layout.heap_size);
  note_views({builder.heap_view(), data.size() ? builder.globals_view() : 0, builder.order.bytes()});
  back_system_area(segment, layout.heap_offset(pes.place()));
  reopen_arena();
  return {};
}

void reopen_arena() {
  arena.delta = world_delta;
  arena.system_delta = world_system_delta;
  open_system_area(arena.system_size);
}

void close_arena() { arena.delta = arena.system_delta = nowhere_table(); }

}  // namespace atrium
