// The arena: one PE's symmetric memory, and where its peers' lie. The heart of Atrium.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      *Globals*: the executable's writable static data. *System*: Atrium's own symmetric memory
//             (flags, eager slots, blocks of teams), directly in front of the *heap*, the user's.
// Invariants. A peer's copy of any symmetric object at my address `a`, be it in globals, system or heap, is
//             at `a + delta[pe]`, where `pe` counts over the job. delta[me] is 0. delta[i] is ATRIUM_AWAY for
//             PEs of other nodes, for i outside 0 ... npes-1 as far as memory is mapped there, and before
//             init and after finalize for all i.
// Thread safety. Built by one thread inside shmem_init; read-only afterwards, but for the two allocators, which lock.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shmem/types.h"

namespace atrium {

// Of every PE's heap, hence the largest alignment that a block can have on all of them. Address space only.
inline constexpr size_t heap_alignment = size_t{1} << 30;

struct Arena {
  std::byte* globals = nullptr;
  size_t globals_size = 0;
  std::byte* system = nullptr;
  size_t system_size = 0;
  std::byte* heap = nullptr;
  size_t heap_size = 0;
  const ptrdiff_t* delta = nullptr;  // of the world team; AWAY only where memory is not shared

  bool in_globals(const void* address, size_t bytes = 1) const {
    return within(globals, globals_size, address, bytes);
  }
  bool in_heap(const void* address, size_t bytes = 1) const {
    return within(heap, heap_size, address, bytes);
  }
  bool is_symmetric(const void* address, size_t bytes = 1) const {
    return in_globals(address, bytes) || in_heap(address, bytes);
  }

 private:
  static bool within(const std::byte* begin, size_t size, const void* address, size_t bytes) {
    const size_t offset =
        static_cast<size_t>(reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(begin));
    return offset < size && bytes <= size - offset;
  }
};

extern Arena arena;

// Zeroed memory of this PE at which the others can reach it (`address + delta[pe]`), on cache lines of its
// own. nullptr when the system area is full. Local: no other PE takes part.
void* allocate_system(size_t bytes);
void free_system(void* block);

}  // namespace atrium
