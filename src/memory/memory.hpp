// The symmetric heap's functions: collective allocation on top of each PE's own, identical allocator
// (specification section 9.3).
// SPDX-License-Identifier: BSD-3-Clause
//
// Every PE makes the same calls with the same arguments, so every PE's allocator takes the same decisions;
// what is left to agree on is only whether memory could really be had, and that only
// where it is bounded (segment/segment.hpp).
#pragma once

#include <cstddef>
#include <optional>

#include "segment/layout.hpp"
#include "segment/segment.hpp"

namespace atrium {

struct HeapTraits {
  // On some node memory is scarce (segment/segment.hpp), so that all PEs must agree on each block.
  bool bounded;
  // On some node the network uses the pages that were present when the memory was registered: none may be exchanged.
  bool pinned;
  int neighbours;  // PEs that share this machine's memory
};
// For the job: an empty heap over the arena's.
void open_heap(Segment& segment, const Layout& layout, const HeapTraits& traits);
// For the job: gives the heap's memory back. Requires: no PE uses it any more.
void close_heap();

// With the meanings of shmem_malloc and so on. Bytes; NULL on every PE when there is no room, after a message from PE 0
// that says what was asked for, what is used and what to set. `caller`: where the call returns to.
void* symmetric_malloc(size_t size, const void* caller);
void* symmetric_malloc_with_hints(size_t size, long hints, const void* caller);
void* symmetric_calloc(size_t count, size_t size, const void* caller);
void* symmetric_align(size_t alignment, size_t size, const void* caller);
void* symmetric_realloc(void* block, size_t size, const void* caller);
void symmetric_free(void* block, const void* caller);

// Likewise, as part of the routine that the program calls: its caller is theirs.
[[gnu::always_inline]] inline void* symmetric_malloc(size_t size) {
  return symmetric_malloc(size, __builtin_return_address(0));
}
[[gnu::always_inline]] inline void* symmetric_malloc_with_hints(size_t size, long hints) {
  return symmetric_malloc_with_hints(size, hints, __builtin_return_address(0));
}
[[gnu::always_inline]] inline void* symmetric_calloc(size_t count, size_t size) {
  return symmetric_calloc(count, size, __builtin_return_address(0));
}
[[gnu::always_inline]] inline void* symmetric_align(size_t alignment, size_t size) {
  return symmetric_align(alignment, size, __builtin_return_address(0));
}
[[gnu::always_inline]] inline void* symmetric_realloc(void* block, size_t size) {
  return symmetric_realloc(block, size, __builtin_return_address(0));
}
[[gnu::always_inline]] inline void symmetric_free(void* block) {
  symmetric_free(block, __builtin_return_address(0));
}

// For messages: what the program has allocated there, if it still has. Any thread.
struct HeapBlock {
  size_t at, bytes;    // in the heap; as it was asked for
  const void* caller;  // where the routine that allocated it returned to
};
std::optional<HeapBlock> block_around(const void* address);

}  // namespace atrium
