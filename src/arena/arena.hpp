// The arena: one PE's symmetric memory, and where its peers' lie. The heart of Atrium.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      *Globals*: the executable's writable static data. *System*: Atrium's own symmetric memory
//             (flags, eager slots, blocks of teams), directly in front of the *heap*, the user's.
// Invariants. A peer's copy of any symmetric object at my address `a`, be it in globals, system or heap, is
//             at `a + delta[pe]`, where `pe` counts over the job. delta[me] is 0. delta[i] is ATRIUM_AWAY for
//             PEs of other nodes, for far peers until they are named (arena/far_peers.hpp), for i outside
//             0 ... npes-1 as far as memory is mapped there, and before init and after finalize for all i.
//             system_delta[pe] leads to system memory alone, and to that of far peers from the start.
// Thread safety. Built by one thread inside shmem_init; read-only afterwards, but for far peers' deltas and the two
//             allocators, which lock.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/result.hpp"
#include "shmem/types.h"

namespace atrium {

// Of every PE's heap, hence the largest alignment that a block can have on all of them. Address space only.
inline constexpr size_t heap_alignment = size_t{1} << 30;

// A range of symmetric memory. Every PE has the same ones, and an object lies in the same one at the same offset
// on each, wherever they are mapped. A further kind of memory
// is a further range (docs/howto/add-an-address-range.md).
enum class Range : uint8_t { heap, globals };
inline constexpr size_t range_count = 2;

struct SymmetricRange {
  const char* name;            // for messages
  std::byte* begin = nullptr;  // of what users may name
  size_t bytes = 0;
  std::byte* origin = nullptr;  // offsets count from here; what lies in front of `begin` is Atrium's own

  bool contains(const void* address, size_t more = 1) const {
    const size_t offset =
        static_cast<size_t>(reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(begin));
    return offset < bytes && more <= bytes - offset;
  }
};

struct Arena {
  SymmetricRange ranges[range_count] = {{"the symmetric heap"}, {"the program's static data"}};  // by Range
  std::byte* system = nullptr;
  size_t system_size = 0;
  const ptrdiff_t* delta = nullptr;  // of the world team
  const ptrdiff_t* system_delta = nullptr;

  SymmetricRange& operator[](Range range) { return ranges[static_cast<size_t>(range)]; }
  const SymmetricRange& operator[](Range range) const { return ranges[static_cast<size_t>(range)]; }
  SymmetricRange& heap() { return (*this)[Range::heap]; }
  const SymmetricRange& heap() const { return (*this)[Range::heap]; }

  bool is_symmetric(const void* address, size_t bytes = 1) const {
    for (const SymmetricRange& range : ranges) {
      if (range.contains(address, bytes)) return true;
    }
    return false;
  }
};

extern Arena arena;

// Zeroed memory of this PE at which the others can reach it (`address + delta[pe]`), on cache lines of its
// own. nullptr when the system area is full. Local: no other PE takes part.
void* allocate_system(size_t bytes);
Result<void*> take_system(size_t bytes);  // the same, which says why
// The same as it is: of its bytes the first `written` may hold what was there before.
struct UnclearedBlock {
  void* begin;
  size_t written;
};
Result<UnclearedBlock> take_uncleared_system(size_t bytes);
void free_system(void* block);

}  // namespace atrium
