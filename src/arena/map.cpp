// Builds the arena.
// SPDX-License-Identifier: BSD-3-Clause
//
// Seven mappings, whatever the number of PEs: my globals, my system and heap, and the two views of the peers,
// each in two pieces because the file holds the PEs in order while a view begins with the PE after me.
#include "arena/map.hpp"

#include <sys/mman.h>

#include <string>

#include "arena/arena.hpp"
#include "arena/delta_table.hpp"
#include "arena/fork_guard.hpp"
#include "arena/globals.hpp"
#include "arena/reserve.hpp"
#include "arena/system.hpp"
#include "core/settings.hpp"
#include "os/memcheck.hpp"
#include "os/page.hpp"

namespace atrium {

Arena arena{.delta = nowhere_table()};

namespace {

const ptrdiff_t* world_delta = nullptr;

struct Builder {
  Segment& segment;
  const Layout& layout;
  const DataSegment& data;
  const Placement& pes;
  ArenaAddresses addresses;

  size_t peers() const { return static_cast<size_t>(pes.places() - 1) * layout.stride; }
  uintptr_t heap_view() const { return addresses.heap + static_cast<uintptr_t>(addresses.skip); }
  uintptr_t globals_view() const { return data.begin + static_cast<uintptr_t>(addresses.skip); }

  Result<void> find_room() {
    const uintptr_t globals = data.size() ? data.begin : 0;
    auto reserved = reserve_addresses(
        {globals, layout.stride, peers(), huge_page_size, layout.system_size, heap_alignment});
    if (!reserved)
      return reserved.error().while_doing("placing " + std::to_string(pes.places()) + " arenas of " +
                                          format_size(layout.stride));
    addresses = *reserved;
    return {};
  }

  // Of each peer's part the head is in use: its globals, or its system area and the blocks of its heap, which
  // memory.cpp shows one by one.
  void show_heads_to_memcheck(uintptr_t view, size_t head) {
    if (!under_memcheck()) return;
    hide_from_memcheck(reinterpret_cast<void*>(view), peers());
    for (size_t part = 0; part < peers(); part += layout.stride)
      show_to_memcheck(reinterpret_cast<void*>(view + part), head);
  }

  // The peers' parts of one half of the file, which begins at `half`: those of the places after mine, then of
  // the places from 0 up to mine.
  Result<void> map_view(uintptr_t view, size_t half, size_t head) {
    const size_t after_me = static_cast<size_t>(pes.places() - 1 - pes.place()) * layout.stride;
    const size_t before_me = static_cast<size_t>(pes.place()) * layout.stride;
    auto first = segment.map(reinterpret_cast<void*>(view), after_me, half + before_me + layout.stride);
    if (!first) return first;
    if (auto r = segment.map(reinterpret_cast<void*>(view + after_me), before_me, half); !r) return r;
    // A core dump of one PE need not hold the memory of all.
    ::madvise(reinterpret_cast<void*>(view), peers(), MADV_DONTDUMP);
    show_heads_to_memcheck(view, head);
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
    if (auto r = map_view(heap_view(), layout.heaps_at, layout.system_size); !r) return r;
    return data.size() ? map_view(globals_view(), layout.globals_at, data.size()) : Result<void>{};
  }

  Result<void> fill_deltas() {
    auto table = create_delta_table(pes.pes(), Guard::every_int);
    if (!table) return table.error();
    for (int distance = 1; distance < pes.places(); ++distance) {
      const auto place = static_cast<size_t>((pes.place() + distance) % pes.places());
      (*table)[pes.pes_here()[place]] =
          addresses.skip + (distance - 1) * static_cast<ptrdiff_t>(layout.stride);
    }
    (*table)[pes.me()] = 0;
    world_delta = *table;
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
