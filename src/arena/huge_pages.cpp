// 2 MiB pages by MADV_COLLAPSE.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/huge_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "arena/arena.hpp"
#include "core/everlasting.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "os/memory_limits.hpp"
#include "os/page.hpp"
#include "os/small_file.hpp"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25  // since Linux 6.1
#endif

namespace atrium {
namespace {

size_t backed = 0;

// Bytes the machine could hand out now ("MemAvailable:  123 kB"); 0 when it does not say.
size_t available_memory() {
  const std::string text = read_small_file("/proc/meminfo");
  const size_t found = text.find("MemAvailable:");
  return found == std::string::npos ? 0 : std::strtoull(text.c_str() + found + 13, nullptr, 10) << 10;
}

// Huge pages are memory spent at once. Where a block is larger than half of what is there or
// of what the cgroup allows, its owner may mean to use
// only parts of it: then pages come one by one, as they are touched.
bool worth_it(size_t bytes, int owners) {
  return bytes <= std::min(available_memory(), memory_of_node()) / 2 / static_cast<size_t>(owners);
}

// Extents of my heap, by number, that the kernel has been asked for since they were last given back.
constinit Everlasting<std::vector<bool>> everlasting_asked;
std::vector<bool>& asked = everlasting_asked.object;

struct Extents {
  size_t first, end;
  bool empty() const { return first >= end; }
  size_t bytes() const { return (end - first) * huge_page_size; }
  std::byte* begin() const { return arena.heap + first * huge_page_size; }
};

Extents whole_extents(const void* begin, size_t bytes) {
  const auto offset = static_cast<size_t>(static_cast<const std::byte*>(begin) - arena.heap);
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

}  // namespace

void back_with_huge_pages(void* begin, size_t bytes, int owners) {
  static const std::string wanted = setting("ATRIUM_HUGE_PAGES");
  if (wanted == "off" || bytes < huge_page_size) return;
  const Extents extents = without_asked_ends(whole_extents(begin, bytes));
  if (extents.empty() || (wanted != "on" && !worth_it(extents.bytes(), owners))) return;
  remember_asked(extents);
  if (collapse(extents))
    backed += extents.bytes();
  else if (wanted == "on" && backed == 0)
    warn("no 2 MiB pages: " + system_error("", "madvise(MADV_COLLAPSE)").because);
}

void forget_huge_pages(const void* begin, size_t bytes) {
  const auto offset = static_cast<size_t>(static_cast<const std::byte*>(begin) - arena.heap);
  const size_t end = std::min(round_up(offset + bytes, huge_page_size) / huge_page_size, asked.size());
  for (size_t extent = offset / huge_page_size; extent < end; ++extent) asked[extent] = false;
}

size_t huge_bytes() { return backed; }

}  // namespace atrium
