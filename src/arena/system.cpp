// Allocates and frees blocks of the system area.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/system.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>

#include "arena/arena.hpp"
#include "arena/heap_allocator.hpp"
#include "core/log.hpp"
#include "core/never_destroyed.hpp"
#include "core/per_pe.hpp"
#include "os/page.hpp"

namespace atrium {
namespace {

constexpr size_t line_pair = 128;  // adjacent lines are fetched together: blocks keep a pair apart

std::mutex mutex;
ATRIUM_PER_PE constinit NeverDestroyed<std::optional<HeapAllocator>> kept_allocator;
std::optional<HeapAllocator>& allocator = kept_allocator.object;

ATRIUM_PER_PE Segment* segment = nullptr;
ATRIUM_PER_PE size_t segment_offset = 0;
ATRIUM_PER_PE size_t used_before =
    0;  // from here up nothing was ever lent: the kernel's zeros are still there

// A block that could not be touched without a SIGBUS is refused as one for which there is no room.
Result<void> commit_block(size_t offset, size_t bytes) {
  if (!segment) return {};
  const size_t begin = round_down(offset, page_size()), end = round_up(offset + bytes, page_size());
  return segment->commit(end - begin, segment_offset + begin);
}

// From here on it counts as used.
size_t count_used_bytes(size_t offset, size_t bytes) {
  const size_t used = offset < used_before ? std::min(bytes, used_before - offset) : 0;
  used_before = std::max(used_before, offset + bytes);
  return used;
}

}  // namespace

void back_system_area(Segment& whole, size_t offset) {
  segment = &whole;
  segment_offset = offset;
}

void open_system_area(size_t bytes) { allocator.emplace(bytes); }

size_t system_area_bytes(int nodes) {
  // Room for some hundred teams. The world's block has 32 bytes of flags and 160 of a board for each node (team/nodes.hpp), so that it
  // always fits.
  const size_t teams = size_t{nodes > 1 ? 64u : 8u} << 20;
  return round_up(teams + static_cast<size_t>(nodes) * 256, huge_page_size);
}

Result<UnclearedBlock> take_uncleared_system(size_t bytes) {
  std::lock_guard lock(mutex);
  const auto offset = allocator->allocate(round_up(bytes, line_pair), line_pair);
  if (!offset) return Error{"cannot get memory of Atrium's own", "the system area of this PE is full"};
  if (auto committed = commit_block(*offset, bytes); !committed) {
    allocator->release(*offset);
    return committed.error();
  }
  return UnclearedBlock{arena.system + *offset, count_used_bytes(*offset, bytes)};
}

// Touches no page that is zero already: a block often has room that is never used.
Result<void*> take_system(size_t bytes) {
  auto block = take_uncleared_system(bytes);
  if (!block) return block.error();
  if (block->written > 0) std::memset(block->begin, 0, block->written);
  return block->begin;
}

void* allocate_system(size_t bytes) {
  auto block = take_system(bytes);
  return block ? *block : nullptr;
}

Error no_system_memory(const std::string& what) {
  return Error{"cannot create " + what, "the system area of this PE is full, or there is no memory for it",
               "starting", "a larger /dev/shm, or ATRIUM_SEGMENT=memfd, which its size does not limit"};
}

void* require_system(size_t bytes, const char* what) {
  void* const block = allocate_system(bytes);
  if (!block) fatal(no_system_memory(what));
  return block;
}

void free_system(void* block) {
  std::lock_guard lock(mutex);
  allocator->release(static_cast<size_t>(static_cast<std::byte*>(block) - arena.system));
}

}  // namespace atrium
