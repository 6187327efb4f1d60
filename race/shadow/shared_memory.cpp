// Lays out the file that a PE shows to the race checkers of the other PEs.
// SPDX-License-Identifier: BSD-3-Clause
#include "race/shadow/shared_memory.hpp"

namespace atrium::race {

SharedLayout plan_layout(int pes, size_t heap_bytes, size_t globals_bytes) {
  SharedLayout plan{};
  plan.pes = pes;
  plan.heap_bytes = heap_bytes;
  plan.globals_bytes = globals_bytes;
  size_t end = 0;
  const auto next = [&](size_t bytes) {
    const size_t begin = end;
    end += (bytes + page_bytes - 1) / page_bytes * page_bytes;
    return begin;
  };
  next(sizeof(Board));
  plan.words_at = next(words_per_pe * sizeof(WordRecord));
  plan.keys_at = next(meetings_per_pe * sizeof(MeetingKey));
  plan.entries_at = next(sizeof(Entry) * meetings_per_pe * meeting_depth * static_cast<size_t>(pes));
  plan.common_at = next(sizeof(Common));
  plan.states_at = next(heap_bytes / 8);
  plan.heap_pages_at = next(heap_bytes / page_bytes * sizeof(ShadowPage));
  plan.heap_lines_at = next(heap_bytes / 8 * sizeof(ShadowLine));
  plan.globals_pages_at = next(globals_bytes / page_bytes * sizeof(ShadowPage));
  plan.globals_lines_at = next(globals_bytes / 8 * sizeof(ShadowLine));
  plan.bytes = end;
  return plan;
}

WordRecord& SharedMemory::word(uint64_t key) const {
  const uint64_t hash = key * 0x9e3779b97f4a7c15u;
  return at<WordRecord>(plan_->words_at)[hash >> 32 & (words_per_pe - 1)];
}

Entry& SharedMemory::entry(int meeting, uint64_t number, int rank) const {
  const size_t round = static_cast<size_t>(meeting) * meeting_depth + number % meeting_depth;
  return at<Entry>(plan_->entries_at)[round * static_cast<size_t>(plan_->pes) + static_cast<size_t>(rank)];
}

}  // namespace atrium::race
