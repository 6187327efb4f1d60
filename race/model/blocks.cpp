// Updates the states, and reports accesses that they do not allow.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/model/blocks.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "race/model/finding.hpp"

namespace atrium::race {
namespace {

// The contents of a block that was not written. Code that the compiler did not instrument may write, too: what no longer
// holds this has been written.
constexpr uint8_t unwritten_byte = 0xc5;
constexpr size_t largest_filled = size_t{32} << 20;

uint64_t offset_in_heap(uintptr_t address) { return address - job.heap_begin; }

uint8_t* my_states() { return job.shared[job.me].states(); }

std::atomic<uint64_t>& changes_of(const ShadowRegion& heap) {
  return job.shared[heap.owner].board().heap_changes;
}

// Counted behind the change: who finds the new number finds the new states.
void set_states(uint64_t offset, uint64_t bytes, uint8_t flags) {
  std::memset(my_states() + offset / 8, 8 | flags, bytes / 8);
  if (bytes % 8 != 0) my_states()[(offset + bytes) / 8] = static_cast<uint8_t>(bytes % 8 | flags);
  job.shared[job.me].board().heap_changes.fetch_add(1, std::memory_order_release);  // SYNC race-states
}

// Copies of the heap are mapped at a distance that is the same for all of it.
const uint8_t* as_seen(const ShadowAddress& shadow) {
  return reinterpret_cast<const uint8_t*>(shadow.region->begin + shadow.offset);
}

bool still_filled(const ShadowAddress& shadow, size_t bytes) {
  const uint8_t* at = as_seen(shadow);
  return std::all_of(at, at + bytes, [](uint8_t byte) { return byte == unwritten_byte; });
}

// `first` and `end`: which of the eight bytes are accessed.
void check_state(const ShadowAddress& shadow, size_t first, size_t end, const Access& access) {
  uint8_t& byte = shadow.region->states[shadow.offset / 8];
  const uint8_t state = __atomic_load_n(&byte, __ATOMIC_RELAXED);
  if (state == 8) return;
  const ShadowAddress at{shadow.region, shadow.offset + first};
  if (state & state_freed) return report_memory(Fault::freed, access, at);
  if (end > (state & state_bytes))
    return report_memory(Fault::overrun, access, {shadow.region, shadow.offset + (state & state_bytes)});
  if (!(state & state_unwritten)) return;
  const bool writes = access.kind & is_write;
  if (!writes && still_filled(at, end - first) && !(access.kind & is_atomic))
    report_memory(Fault::unwritten, access, at);
  else if (writes)
    __atomic_store_n(&byte, static_cast<uint8_t>(state & ~state_unwritten), __ATOMIC_RELAXED);
}

}  // namespace

void begin_states(void* block, size_t bytes, bool written) {
  const bool filled = !written && job.instrumented && bytes <= largest_filled;
  if (filled) std::memset(block, unwritten_byte, bytes);
  set_states(offset_in_heap(reinterpret_cast<uintptr_t>(block)), bytes, filled ? state_unwritten : 0);
}

void end_states(uintptr_t begin, size_t bytes) { set_states(offset_in_heap(begin), bytes, state_freed); }

namespace {

// Eight states at a time: 64 bytes of the heap.
constexpr uint64_t bytes_of_eight = 64;

bool eight_are_well(const ShadowRegion& heap, uint64_t at) {
  constexpr uint64_t allocated_and_written = 0x0808080808080808;
  return __atomic_load_n(reinterpret_cast<const uint64_t*>(heap.states + at / 8), __ATOMIC_RELAXED) ==
         allocated_and_written;
}

bool all_well(const ShadowRegion& heap, uint64_t begin, uint64_t end) {
  for (uint64_t at = begin; at < end; at += bytes_of_eight)
    if (!eight_are_well(heap, at)) return false;
  return true;
}

// The 512 states of a page are read once, and again only when a block of that heap has been allocated or freed since:
// nothing else ends that all are well.
bool is_sound(const ShadowRegion& heap, uint64_t page_at) {
  uint64_t& sound = heap.pages[page_at / page_bytes].sound;
  const uint64_t changes = changes_of(heap).load(std::memory_order_acquire);  // SYNC race-states
  if (__atomic_load_n(&sound, __ATOMIC_RELAXED) == changes) return changes != 0;
  if (!all_well(heap, page_at, page_at + page_bytes)) return false;
  __atomic_store_n(&sound, changes, __ATOMIC_RELAXED);
  return true;
}

// How many bytes from `at` on are well as they are; 0: the next eight must be checked one by one.
uint64_t well_from(const ShadowRegion& heap, uint64_t at, uint64_t end) {
  if (at % bytes_of_eight != 0 || end - at < bytes_of_eight) return 0;
  if (at % page_bytes == 0 && end - at >= page_bytes && is_sound(heap, at)) return page_bytes;
  return eight_are_well(heap, at) ? bytes_of_eight : 0;
}

}  // namespace

void check_states(const ShadowAddress& shadow, size_t bytes, const Access& access) {
  const uint64_t end = shadow.offset + bytes;
  for (uint64_t at = shadow.offset; at < end;) {
    if (const uint64_t well = well_from(*shadow.region, at, end)) {
      at += well;
      continue;
    }
    const uint64_t line = at & ~uint64_t{7}, next = std::min(end, line + 8);
    check_state({shadow.region, line}, at - line, next - line, access);
    at = next;
  }
}

}  // namespace atrium::race
