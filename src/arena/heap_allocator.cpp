// The allocator of symmetric heaps: best fit, with neighbouring holes merged at once.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/heap_allocator.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include "os/page.hpp"

namespace atrium {
namespace {

// Padding in front of a block is worth a page boundary up to an eighth of the block. So blocks from 32 KiB
// always begin on a page and blocks from 16 MiB on a huge page (when the hole has room), smaller ones when it
// is cheap, and a heap full of blocks of 4,100 bytes is not half empty.
constexpr size_t padding_share = 8;

// The first multiple of `alignment` in the hole with `bytes` behind it. allocate() has seen to it
// that no sum here overflows.
std::optional<size_t> fit(size_t hole, size_t hole_size, size_t bytes, size_t alignment) {
  const size_t start = round_up(hole, alignment);
  if (start - hole > hole_size || hole_size - (start - hole) < bytes) return std::nullopt;
  return start;
}

// Where in this hole the block goes: on the largest page boundary that is cheap, else as `alignment` says.
std::optional<size_t> place(size_t hole, size_t hole_size, size_t bytes, size_t alignment) {
  const auto plain = fit(hole, hole_size, bytes, alignment);
  if (!plain) return std::nullopt;
  for (const size_t boundary : {huge_page_size, page_size()}) {
    if (boundary <= alignment || bytes < boundary) continue;
    const auto better = fit(hole, hole_size, bytes, boundary);
    if (better && *better - *plain <= bytes / padding_share) return better;
  }
  return plain;
}

template <class Map>
void add(Map& map, typename Map::node_type& spare, size_t offset, const typename Map::mapped_type& what) {
  if (spare.empty()) {
    map.emplace(offset, what);
    return;
  }
  spare.key() = offset;
  spare.mapped() = what;
  map.insert(std::move(spare));
}

}  // namespace

size_t HeapAllocator::Block::size_of(size_t other_bytes) const {
  return round_up(std::max<size_t>(other_bytes, 1), traits.unit);
}

HeapAllocator::HeapAllocator(size_t capacity) : capacity_(round_down(capacity, granule)) { reset(); }

void HeapAllocator::reset() {
  blocks_.clear();
  holes_.clear();
  holes_by_size_.clear();
  used_ = 0;
  if (capacity_ > 0) add_hole(0, capacity_);
}

std::optional<size_t> HeapAllocator::allocate(size_t bytes, size_t alignment, const void* maker,
                                              Traits traits) {
  assert(alignment != 0 && (alignment & (alignment - 1)) == 0);
  if (bytes > capacity_) return std::nullopt;  // also keeps the sums below from overflowing
  Block block{0, bytes, maker, traits};
  alignment = std::max(alignment, traits.unit);
  for (auto hole = holes_by_size_.lower_bound({block.size(), 0}); hole != holes_by_size_.end(); ++hole) {
    const auto [hole_size, hole_offset] = *hole;
    if (const auto offset = place(hole_offset, hole_size, block.size(), alignment)) {
      block.offset = *offset;
      occupy(hole_offset, hole_size, block);
      return offset;
    }
  }
  return std::nullopt;
}

void HeapAllocator::occupy(size_t hole, size_t hole_size, const Block& block) {
  remove_hole(hole);
  if (block.offset > hole) add_hole(hole, block.offset - hole);
  const size_t end = block.offset + block.size(), hole_end = hole + hole_size;
  if (end < hole_end) add_hole(end, hole_end - end);
  add(blocks_, spare_block_, block.offset, block);
  used_ += block.size();
}

bool HeapAllocator::release(size_t offset) {
  const auto block = blocks_.find(offset);
  if (block == blocks_.end()) return false;
  const size_t size = block->second.size();
  used_ -= size;
  add_hole(offset, size);
  spare_block_ = blocks_.extract(block);
  return true;
}

// Adds a hole and merges it with the holes that touch it.
void HeapAllocator::add_hole(size_t offset, size_t bytes) {
  const auto after = holes_.lower_bound(offset);
  if (after != holes_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == offset) {
      const auto [before_offset, before_bytes] = *before;
      remove_hole(before_offset);
      offset = before_offset;
      bytes += before_bytes;
    }
  }
  if (after != holes_.end() && after->first == offset + bytes) {
    bytes += after->second;
    remove_hole(after->first);
  }
  add(holes_, spare_hole_, offset, bytes);
  if (spare_size_.empty()) {
    holes_by_size_.emplace(bytes, offset);
    return;
  }
  spare_size_.value() = {bytes, offset};
  holes_by_size_.insert(std::move(spare_size_));
}

void HeapAllocator::remove_hole(size_t offset) {
  const auto hole = holes_.find(offset);
  spare_size_ = holes_by_size_.extract({hole->second, offset});
  spare_hole_ = holes_.extract(hole);
}

bool HeapAllocator::resize_in_place(size_t offset, size_t bytes, const void* maker) {
  const auto block = blocks_.find(offset);
  if (block == blocks_.end() || bytes > capacity_ - offset) return false;
  const Block resized{offset, bytes, maker, block->second.traits};
  const size_t before = block->second.size(), after = resized.size(), end = offset + before;
  if (after > before) {
    const auto hole = holes_.find(end);
    if (hole == holes_.end() || before + hole->second < after) return false;
    const size_t rest = before + hole->second - after;
    remove_hole(end);
    if (rest > 0) add_hole(offset + after, rest);
  } else if (after < before) {
    add_hole(offset + after, before - after);
  }
  block->second = resized;
  used_ += after - before;  // modulo arithmetic: right for shrinking too
  return true;
}

std::optional<HeapAllocator::Block> HeapAllocator::block_at(size_t offset) const {
  const auto block = blocks_.find(offset);
  return block == blocks_.end() ? std::nullopt : std::optional(block->second);
}

std::optional<HeapAllocator::Block> HeapAllocator::block_up_to(size_t offset) const {
  const auto behind = blocks_.upper_bound(offset);
  return behind == blocks_.begin() ? std::nullopt : std::optional(std::prev(behind)->second);
}

std::optional<HeapAllocator::Block> HeapAllocator::block_around(size_t offset) const {
  const auto block = block_up_to(offset);
  return block && offset - block->offset < block->bytes ? block : std::nullopt;
}

namespace {

struct Piece {
  size_t bytes;
  bool is_hole;
};

bool tiles(const std::map<size_t, Piece>& pieces, size_t capacity) {
  size_t end = 0;
  bool after_hole = false;
  for (const auto& [offset, piece] : pieces) {
    if (offset != end || piece.bytes == 0 || piece.bytes % HeapAllocator::granule != 0) return false;
    if (piece.is_hole && after_hole) return false;
    end = offset + piece.bytes;
    after_hole = piece.is_hole;
  }
  return end == capacity;
}

}  // namespace

bool HeapAllocator::is_valid() const {
  std::map<size_t, Piece> pieces;
  size_t used = 0;
  for (const auto& [offset, block] : blocks_) {
    if (offset != block.offset) return false;
    pieces.emplace(offset, Piece{block.size(), false});
    used += block.size();
  }
  for (const auto& [offset, bytes] : holes_) {
    if (!pieces.emplace(offset, Piece{bytes, true}).second || !holes_by_size_.count({bytes, offset}))
      return false;
  }
  return used == used_ && holes_.size() == holes_by_size_.size() && tiles(pieces, capacity_);
}

}  // namespace atrium
