// Backs large blocks of the heap with 2 MiB pages by madvise(MADV_COLLAPSE).
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/huge_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <string>
#include <vector>

#include "arena/arena.hpp"
#include "core/log.hpp"
#include "core/never_destroyed.hpp"
#include "core/settings.hpp"
#include "os/memory_limits.hpp"
#include "os/page.hpp"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25  // since Linux 6.1
#endif

namespace atrium {
namespace {

size_t backed = 0;

// Huge pages by collapse are memory spent at once, touched or not. What they save is the first touch: afterwards puts
// and random loads are as fast on small pages (docs/design/memory.md has the measurement). So each PE spends at most
// this much on them, and leaves half of what the machine or its cgroup has left to the rest of the job.
constexpr size_t most_spent_ahead = size_t{64} << 20;

// Extents of my heap, by number, that the kernel has been asked for since they were last given back.
ATRIUM_CONSTINIT_VECTOR NeverDestroyed<std::vector<bool>> kept_asked;
std::vector<bool>& asked = kept_asked.object;

size_t spent_ahead() {
  return static_cast<size_t>(std::count(asked.begin(), asked.end(), true)) * huge_page_size;
}

bool worth_it(size_t bytes, int owners) {
  return spent_ahead() + bytes <= most_spent_ahead &&
         bytes <= memory_left() / 2 / static_cast<size_t>(owners);
}

struct Extents {
  size_t first, end;
  bool empty() const { return first >= end; }
  size_t bytes() const { return (end - first) * huge_page_size; }
  std::byte* begin() const { return arena.heap().begin + first * huge_page_size; }
};

Extents whole_extents(const void* begin, size_t bytes) {
  const auto offset = static_cast<size_t>(static_cast<const std::byte*>(begin) - arena.heap().begin);
  return {round_up(offset, huge_page_size) / huge_page_size, (offset + bytes) / huge_page_size};
}

bool was_asked(size_t extent) { return extent < asked.size() && asked[extent]; }

Extents without_asked_ends(Extents extents) {
  while (!extents.empty() && was_asked(extents.first)) ++extents.first;
  while (!extents.empty() && was_asked(extents.end - 1)) --extents.end;
  return extents;
}

void remember_asked(const Extents& extents) {
  if (asked.size() < extents.end) asked.resize(extents.end);
  std::fill(asked.begin() + static_cast<ptrdiff_t>(extents.first),
            asked.begin() + static_cast<ptrdiff_t>(extents.end), true);
}

// The kernel collapses an extent only if something is in it.
bool collapse(const Extents& extents) {
  for (size_t at = 0; at < extents.bytes(); at += huge_page_size) {
    volatile std::byte* touched = extents.begin() + at;
    *touched = *touched;
  }
  return ::madvise(extents.begin(), extents.bytes(), MADV_COLLAPSE) == 0;
}

// Where the system lets programs ask for huge pages in shared memory (shmem_enabled: advise), what is touched gets
// them, and nothing is spent ahead. Once, for the whole heap: one advice, one mapping.
void ask_for_huge_pages_when_touched() {
  static const int refused = ::madvise(arena.heap().begin, arena.heap().bytes, MADV_HUGEPAGE);
  static_cast<void>(refused);
}

// auto, on or off, however it is written.
std::string wanted_huge_pages() {
  auto word = word_setting("ATRIUM_HUGE_PAGES");
  return word ? *word : "auto";
}

}  // namespace

void back_with_huge_pages(void* begin, size_t bytes, int owners) {
  static const std::string wanted = wanted_huge_pages();
  if (wanted == "off" || bytes < huge_page_size) return;
  ask_for_huge_pages_when_touched();
  const Extents extents = without_asked_ends(whole_extents(begin, bytes));
  if (extents.empty() || (wanted != "on" && !worth_it(extents.bytes(), owners))) return;
  remember_asked(extents);
  if (collapse(extents))
    backed += extents.bytes();
  else if (wanted == "on" && backed == 0)
    warn("no 2 MiB pages: " + why_no_huge_pages());
}

std::string why_no_huge_pages() {
  constexpr size_t usual = 4096;
  if (page_size() != usual) return "this kernel's pages of " + format_size(page_size()) + " make larger ones";
  return system_error("", "madvise(MADV_COLLAPSE)").because;
}

void forget_huge_pages(const void* begin, size_t bytes) {
  const auto offset = static_cast<size_t>(static_cast<const std::byte*>(begin) - arena.heap().begin);
  const size_t end = std::min(round_up(offset + bytes, huge_page_size) / huge_page_size, asked.size());
  for (size_t extent = offset / huge_page_size; extent < end; ++extent) asked[extent] = false;
}

size_t huge_bytes() { return backed; }

}  // namespace atrium
