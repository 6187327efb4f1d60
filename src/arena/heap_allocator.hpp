// The allocator of symmetric heaps: hands out offsets, the same ones on every PE.
// SPDX-License-Identifier: BSD-3-Clause
//
// Words.      A *block* is allocated, a *hole* is free; together they tile [0, capacity). A *granule* is
//             the unit of both.
// Invariants. Every block and hole begins and ends on a granule. No two holes touch. A hole is in `holes_`
//             (by offset) and in `holes_by_size_`. All of this lives in private memory: a user's overrun
//             of the heap cannot damage it. An offset is a function of the calls made before and of nothing
//             else, so PEs that make the same calls agree without communicating.
// Cost.       Logarithmic in the number of blocks; only an alignment above one granule looks further.
// Thread safety: none; the caller serialises.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace atrium {

class HeapAllocator {
 public:
  // One cache line: PEs that write neighbouring blocks do not disturb each other.
  static constexpr size_t granule = 64;

  struct Traits {
    size_t unit;  // of which it takes whole ones: a granule, or pages that it shares with no other block
    long hints;   // kept for the caller
  };
  struct Block {
    size_t offset, bytes;  // as it was asked for
    const void* maker;     // by which messages name it
    Traits traits = {granule, 0};
    size_t size() const { return size_of(bytes); }  // that it takes: whole units
    size_t size_of(size_t other_bytes) const;       // that it would take
    size_t end() const { return offset + size(); }
  };

  explicit HeapAllocator(size_t capacity);

  // Takes the smallest hole that fits (the lowest one among equals); nullopt when there is none. Zero bytes
  // occupy one unit. The offset is aligned, to a unit at least: the address is so only as far as the heap's base is.
  // Requires: `alignment` and the unit are powers of two, the latter a granule or more.
  std::optional<size_t> allocate(size_t bytes, size_t alignment = granule, const void* maker = nullptr,
                                 Traits traits = {granule, 0});
  // False, and nothing changes, when no block begins at `offset` (released twice, or never allocated).
  bool release(size_t offset);
  // Grows into the hole behind the block, or gives back its tail; false, and nothing changes, when it cannot.
  bool resize_in_place(size_t offset, size_t bytes, const void* maker = nullptr);
  // The block that begins at `offset`, if one does.
  std::optional<Block> block_at(size_t offset) const;
  // The last block that begins at `offset` or before it.
  std::optional<Block> block_up_to(size_t offset) const;
  // The block that `offset` is in, if it is in one: in what was asked for of it.
  std::optional<Block> block_around(size_t offset) const;

  size_t capacity() const { return capacity_; }
  size_t used() const { return used_; }
  size_t largest_free() const { return holes_by_size_.empty() ? 0 : holes_by_size_.rbegin()->first; }
  size_t blocks() const { return blocks_.size(); }
  // Whether the invariants above hold. For tests: it looks at every block and hole.
  bool is_valid() const;
  void reset();

 private:
  void add_hole(size_t offset, size_t bytes);
  void remove_hole(size_t offset);
  void occupy(size_t hole, size_t hole_size, const Block& block);

  size_t capacity_;
  size_t used_ = 0;
  std::map<size_t, Block> blocks_;                     // by offset
  std::map<size_t, size_t> holes_;                     // offset -> bytes
  std::set<std::pair<size_t, size_t>> holes_by_size_;  // (bytes, offset)

  // What was removed last. The next that is added takes its place in memory: a program that allocates and frees in turns
  // costs the C library's malloc nothing.
  decltype(blocks_)::node_type spare_block_;
  decltype(holes_)::node_type spare_hole_;
  decltype(holes_by_size_)::node_type spare_size_;
};

}  // namespace atrium
