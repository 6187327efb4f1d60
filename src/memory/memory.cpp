// The symmetric heap: shmem_malloc, calloc, align, realloc and free.
// SPDX-License-Identifier: BSD-3-Clause
#include "memory/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <span>

#include "arena/arena.hpp"
#include "arena/heap_allocator.hpp"
#include "arena/huge_pages.hpp"
#include "atrium_words.hpp"
#include "check/caller.hpp"
#include "check/check.hpp"
#include "check/leaks.hpp"
#include "coll/coll.hpp"
#include "context/context.hpp"
#include "core/log.hpp"
#include "core/never_destroyed.hpp"
#include "core/per_pe.hpp"
#include "core/settings.hpp"
#include "memory/core_file.hpp"
#include "memory/memory_nodes.hpp"
#include "memory/vote.hpp"
#include "os/memcheck.hpp"
#include "os/memory_limits.hpp"
#include "os/page.hpp"
#include "team/same_call.hpp"
#include "team/world.hpp"
#include "topology/placement.hpp"

namespace atrium {
namespace {

// Blocks of this size and more go back to the system when freed, as glibc's malloc does with what it has
// mapped (its largest mmap threshold, mallopt(3)); smaller ones stay warm.
constexpr size_t give_back_from = size_t{32} << 20;

struct Heap {
  std::mutex mutex;
  std::optional<HeapAllocator> allocator;
  Segment* segment = nullptr;
  size_t offset = 0;     // of my heap in the segment
  bool bounded = false;  // on some node of the job
  int neighbours = 1;    // PEs that share this machine's memory
  bool pinned = false;   // by the network: pages that are there must stay
  bool lent = false;     // some block was handed out: there may be memory to give back
  bool placed = false;   // some block was placed on memory nodes
};
ATRIUM_PER_PE constinit NeverDestroyed<Heap> kept_heap;
Heap& heap = kept_heap.object;

std::byte* address_of(size_t offset) { return arena.heap().begin + offset; }
size_t offset_of(const void* block) {
  return static_cast<size_t>(static_cast<const std::byte*>(block) - arena.heap().begin);
}

// Under valgrind a block may be touched, here and on every peer, exactly as long as it is allocated.
void show_all_pes(void (*call)(const void*, size_t), size_t offset, size_t size) {
  if (!under_memcheck()) return;
  for (int pe : placement.pes_here()) call(address_of(offset) + arena.delta[pe], size);
}

// Large blocks begin on a huge page while there is room to waste: addresses cost nothing until the heap's cap
// is near. (The allocator itself puts smaller blocks on pages where that is cheap.)
bool has_room_to_waste() { return heap.allocator->largest_free() > heap.allocator->capacity() / 4 * 3; }

// What a block has to be, and which routine makes it for which PEs.
enum class Contents { any, zeros };
struct WantedBlock {
  size_t size, alignment;
  Contents contents;
  const char* routine;
  const void* caller;  // where the routine returns to
  CollectiveRoutine call = CollectiveRoutine::allocation;
  long hints = 0;
};

std::optional<HeapAllocator::Block> place_block(const WantedBlock& wanted) {
  const HeapAllocator::Traits traits{unit_of_block(wanted.size, wanted.hints), wanted.hints};
  std::optional<size_t> offset;
  if (wanted.size >= huge_page_size && has_room_to_waste())
    offset = heap.allocator->allocate(wanted.size, std::max(wanted.alignment, huge_page_size), wanted.caller,
                                      traits);
  if (!offset) offset = heap.allocator->allocate(wanted.size, wanted.alignment, wanted.caller, traits);
  return offset ? heap.allocator->block_at(*offset) : std::nullopt;
}

// Few digits, which are never less than that many bytes.
std::string format_at_least(size_t bytes) {
  size_t shown = round_up(bytes, size_t{1} << 20);
  while (parse_size(format_size(shown)).value_or(bytes) < bytes) shown += shown >> 12;
  return format_size(shown);
}

std::string heap_that_would_do(size_t size) {
  const bool cut_to_fit =
      !given("SHMEM_SYMMETRIC_SIZE") && address_space_left() != SIZE_MAX;  // job/segment_plan.cpp
  if (cut_to_fit) return "ulimit -v unlimited";
  constexpr size_t absurd = size_t{1} << 47;  // no address space holds that: a miscalculated size
  if (size >= absurd) return "a smaller size";
  const auto pes = static_cast<size_t>(heap.neighbours);
  const size_t together = pes * (heap.allocator->used() + size), most = memory_of_node();
  if (together > most)  // such a heap could be had, but not written to
    return "a smaller size, fewer PEs, or more memory: the " + counted(pes, "PE") +
           " of this machine would take " + format_size(together) + ", and it has " + format_size(most) +
           " (the machine, its cgroup's limit, or what vm.overcommit_memory=2 grants)";
  // Free memory in pieces is of no use for this block.
  const bool in_pieces = heap.allocator->largest_free() < heap.allocator->capacity() - heap.allocator->used();
  const size_t occupied = in_pieces ? heap.allocator->capacity() : heap.allocator->used();
  return "SHMEM_SYMMETRIC_SIZE=" + format_at_least(occupied + size * 9 / 8);
}

void say_out_of_heap(size_t size, const char* routine, const std::string& because,
                     const std::string& remedy) {
  if (placement.me() != 0) return;
  report(Error{"cannot allocate " + format_size(size) + (size < 1024 ? " bytes" : "") + " of symmetric heap",
               because, routine, remedy});
}

std::string heap_state() {
  return format_size(heap.allocator->used()) + " of " + format_size(heap.allocator->capacity()) +
         " are used and the largest free block is " + format_size(heap.allocator->largest_free());
}

// Whether every PE has real memory for the block, so that touching it cannot fail. Collective.
bool commit_everywhere(size_t offset, size_t size, const char* routine) {
  const size_t begin = round_down(offset, page_size()), end = round_up(offset + size, page_size());
  auto committed = heap.segment->commit(end - begin, heap.offset + begin);
  if (all_agree(static_cast<bool>(committed))) return true;
  say_out_of_heap(size, routine,
                  committed ? "another PE could not get the memory" : committed.error().because,
                  committed ? "ATRIUM_SEGMENT=memfd, or a larger /dev/shm" : committed.error().remedy);
  return false;
}

// Gives the whole pages inside a block of `from` bytes or more back to the kernel, which hands out zeros when they are touched
// again. Returns them; an empty range where the block is smaller, they are pinned, or the kernel refuses.
std::span<std::byte> discard_pages(std::byte* block, size_t size, size_t from = give_back_from) {
  const size_t begin = round_up(offset_of(block), page_size()),
               end = round_down(offset_of(block) + size, page_size());
  if (heap.pinned || size < from ||
      !heap.segment->discard(address_of(begin), end - begin, heap.offset + begin))
    return {};
  forget_huge_pages(address_of(begin), end - begin);
  return {address_of(begin), end - begin};
}

// What is touched or backed afterwards begins as zeros. Memory that has been committed must not go back.
void zero_block(std::byte* block, size_t size) {
  const auto zeroed = heap.segment->is_bounded() ? std::span<std::byte>{} : discard_pages(block, size);
  if (zeroed.empty()) {
    std::memset(block, 0, size);
    return;
  }
  std::byte* const zeroed_end = zeroed.data() + zeroed.size();
  std::memset(block, 0, static_cast<size_t>(zeroed.data() - block));
  std::memset(zeroed_end, 0, static_cast<size_t>(block + size - zeroed_end));
}

// [begin, end) of a block with placing hints: pages are taken anew, since those that are there lie somewhere already.
void place_on_nodes(size_t begin, size_t end, const WantedBlock& wanted) {
  if (!are_placing(wanted.hints)) return;
  discard_pages(address_of(begin), end - begin, 0);
  heap.placed |= !heap.pinned;
  const std::string because = heap.pinned ? "the network has pinned the heap"
                                          : place_pages(address_of(begin), end - begin, wanted.hints);
  if (checking() && !because.empty())
    warn(std::string(wanted.routine) + " cannot place a block as it is hinted: " + because +
         line_of_call(wanted.caller));
}

// A block's, or what is cut off it. The pages go back, too, since they lie where others do not want them.
void give_pages_back(size_t begin, size_t end, long hints) {
  if (are_placing(hints) && !heap.pinned) forget_placement(address_of(begin), end - begin);
  discard_pages(address_of(begin), end - begin, are_placing(hints) ? 0 : give_back_from);
}

// False on all PEs or on none. Where memory is not bounded nothing can fail now, and there is nothing to agree on.
// What is interleaved is not backed ahead of use: a huge page whose first page alone is there goes where that one lies.
bool back_block(size_t offset, const WantedBlock& wanted) {
  if (heap.bounded && !commit_everywhere(offset, wanted.size, wanted.routine)) return false;
  if (wanted.contents == Contents::zeros) zero_block(address_of(offset), wanted.size);
  if ((wanted.hints & SHMEMX_MALLOC_INTERLEAVE) == 0)
    back_with_huge_pages(address_of(offset), wanted.size, placement.places());
  return true;
}

// The block's offset, the same on all PEs, or nothing on all PEs. No barrier unless memory is bounded.
std::optional<size_t> take_block(const WantedBlock& wanted) {
  std::unique_lock lock(heap.mutex);
  const auto block = place_block(wanted);
  if (!block) {
    say_out_of_heap(wanted.size, wanted.routine, heap_state(), heap_that_would_do(wanted.size));
    return std::nullopt;
  }
  heap.lent = true;
  extend_core_file(block->offset + wanted.size);
  lock.unlock();
  show_all_pes(show_to_memcheck, block->offset, wanted.size);
  place_on_nodes(block->offset, block->end(), wanted);
  if (back_block(block->offset, wanted)) return block->offset;
  lock.lock();
  heap.allocator->release(block->offset);
  give_pages_back(block->offset, block->end(), wanted.hints);
  return std::nullopt;
}

// Messages name blocks by the lines that made them. Behind a tool's wrappers the program is only looked for where every block's
// maker is wanted anyway: a walk up the stack costs eight times what the allocation does.
const void* maker(const void* caller) { return looking_for_leaks() ? called_from(caller) : caller; }

// On all PEs. Hints that say nothing of memory nodes may differ.
int64_t what_else_is_equal(const WantedBlock& wanted) {
  return wanted.call == CollectiveRoutine::hinted_allocation ? wanted.hints & placing_hints
                                                             : static_cast<int64_t>(wanted.alignment);
}

void* allocate(WantedBlock wanted) {
  if (!default_context.team) refuse_uninitialised();
  if (wanted.size == 0) return nullptr;
  wanted.caller = maker(wanted.caller);
  const CollectiveCall call{wanted.call, wanted.size, what_else_is_equal(wanted)};
  require_same_call(world_team, call);
  const CallAtMeeting announced(world_team, call, wanted.caller);
  const auto offset = take_block(wanted);
  barrier_all();
  announced.compare();
  if (offset) remember_made(Made::block, address_of(*offset), wanted.size);
  return offset ? address_of(*offset) : nullptr;
}

HeapAllocator::Block require_block(void* address) {
  if (!default_context.team) refuse_uninitialised();
  const auto block =
      arena.heap().contains(address) ? heap.allocator->block_at(offset_of(address)) : std::nullopt;
  if (!block)
    fatal(Error{"the address is no block of the symmetric heap",
                "it was freed before, or never came from shmem_malloc and its family", describe_caller(),
                "looking for a second shmem_free of the same block"});
  return *block;
}

void release_block(const HeapAllocator::Block& block) {
  std::lock_guard lock(heap.mutex);
  heap.allocator->release(block.offset);
  give_pages_back(block.offset, block.end(), block.traits.hints);
  show_all_pes(hide_from_memcheck, block.offset, block.size());
}

// Requires: all PEs are in shmem_realloc.
void* move_block(const HeapAllocator::Block& block, const WantedBlock& wanted) {
  const auto offset = take_block(wanted);
  if (!offset) return nullptr;
  std::memcpy(address_of(*offset), address_of(block.offset), block.bytes);
  release_block(block);
  return address_of(*offset);
}

bool resize_block(const HeapAllocator::Block& block, const WantedBlock& wanted) {
  {
    std::lock_guard lock(heap.mutex);
    if (!heap.allocator->resize_in_place(block.offset, wanted.size, wanted.caller)) return false;
    extend_core_file(block.offset + wanted.size);
  }
  show_all_pes(hide_from_memcheck, block.offset, block.size());
  show_all_pes(show_to_memcheck, block.offset, wanted.size);
  const size_t end = block.offset + block.size_of(wanted.size);
  if (end < block.end() && are_placing(wanted.hints)) give_pages_back(end, block.end(), wanted.hints);
  if (end <= block.end()) return true;
  place_on_nodes(block.end(), end, wanted);
  if (back_block(block.offset, wanted)) return true;
  std::lock_guard lock(heap.mutex);
  heap.allocator->resize_in_place(block.offset, block.bytes, block.maker);
  give_pages_back(block.end(), end, wanted.hints);
  return false;
}

// For checked calls.
std::optional<KnownBlock> block_to_check(const void* address) {
  const std::lock_guard lock(heap.mutex);
  const auto block = heap.allocator->block_up_to(offset_of(address));
  if (!block) return std::nullopt;
  return KnownBlock{address_of(block->offset), block->bytes, block->maker};
}

}  // namespace

void open_heap(Segment& segment, const Layout& layout, const HeapTraits& traits) {
  heap.allocator.emplace(layout.heap_size);
  heap.neighbours = traits.neighbours;
  heap.segment = &segment;
  heap.bounded = traits.bounded;
  heap.pinned = traits.pinned;
  heap.offset = layout.heap_offset(placement.place()) + layout.system_size;
  begin_core_file();
  prepare_votes();
  look_up_heap_blocks_by(block_to_check);
  show_all_pes(hide_from_memcheck, 0, arena.heap().bytes);
}

// Returning pages that no PE has touched would cost each PE a walk through the page tables of all.
void close_heap() {
  if (heap.placed) forget_placement(arena.heap().begin, arena.heap().bytes);
  heap.placed = false;
  if (heap.lent && !heap.pinned && heap.segment->discard(arena.heap().begin, arena.heap().bytes, heap.offset))
    forget_huge_pages(arena.heap().begin, arena.heap().bytes);
  heap.lent = false;
}

void* symmetric_malloc(size_t size, const void* caller) {
  return allocate({size, HeapAllocator::granule, Contents::any, "shmem_malloc", caller});
}

// The specification's hints promise how the block will be used; every block is equally good for atomics and signals.
void* symmetric_malloc_with_hints(size_t size, long hints, const void* caller) {
  constexpr long known = SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE | placing_hints;
  if (checking() && (hints & ~known) != 0)
    warn("shmem_malloc_with_hints ignores hints that it does not know: " + std::to_string(hints & ~known) +
         line_of_call(caller));
  return allocate({size, HeapAllocator::granule, Contents::any, "shmem_malloc_with_hints", caller,
                   CollectiveRoutine::hinted_allocation, hints});
}

void* symmetric_calloc(size_t count, size_t size, const void* caller) {
  if (count == 0 || size == 0) return nullptr;
  // A product that overflows cannot be had: ask for more than any heap holds, so that it fails as every other.
  const bool overflows = count > std::numeric_limits<size_t>::max() / 2 / size;
  const size_t bytes = overflows ? std::numeric_limits<size_t>::max() / 2 : count * size;
  return allocate({bytes, HeapAllocator::granule, Contents::zeros, "shmem_calloc", caller,
                   CollectiveRoutine::zeroed_allocation});
}

void* symmetric_align(size_t alignment, size_t size, const void* caller) {
  const bool power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!power_of_two || alignment > heap_alignment) {
    if (placement.me() == 0)
      report(
          Error{"cannot align symmetric memory to " + std::to_string(alignment) + " bytes",
                "the alignment must be a power of two, at most 1G (the heaps of the PEs are aligned to that)",
                "shmem_align", "a smaller alignment"});
    if (size != 0) barrier_all();
    return nullptr;
  }
  return allocate({size, std::max(alignment, HeapAllocator::granule), Contents::any, "shmem_align", caller,
                   CollectiveRoutine::aligned_allocation});
}

void* symmetric_realloc(void* address, size_t size, const void* caller) {
  WantedBlock wanted{size, HeapAllocator::granule, Contents::any, "shmem_realloc", caller};
  if (!address) return allocate(wanted);
  if (size == 0) {
    symmetric_free(address, caller);
    return nullptr;
  }
  const HeapAllocator::Block block = require_block(address);
  wanted.caller = maker(caller);
  wanted.hints = block.traits.hints;
  const CollectiveCall call{CollectiveRoutine::resizing, size, static_cast<int64_t>(block.offset)};
  require_same_call(world_team, call);
  const CallAtMeeting announced(world_team, call, wanted.caller);
  barrier_all();
  announced.compare();
  void* result = resize_block(block, wanted) ? address : move_block(block, wanted);
  if (result) forget_made(address), remember_made(Made::block, result, size);
  barrier_all();
  return result;
}

void symmetric_free(void* address, const void* caller) {
  if (!address) return;
  const HeapAllocator::Block block = require_block(address);
  const CollectiveCall call{CollectiveRoutine::release, block.size(), static_cast<int64_t>(block.offset)};
  require_same_call(world_team, call);
  forget_made(address);
  const CallAtMeeting announced(world_team, call, caller);
  barrier_all();
  announced.compare();
  release_block(block);
}

std::optional<HeapBlock> block_around(const void* address) {
  if (!arena.heap().contains(address)) return std::nullopt;
  const std::lock_guard lock(heap.mutex);
  const auto block = heap.allocator->block_around(offset_of(address));
  if (!block) return std::nullopt;
  return HeapBlock{block->offset, block->bytes, block->maker};
}

}  // namespace atrium
