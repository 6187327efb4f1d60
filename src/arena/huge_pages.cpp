// 2 MiB pages by MADV_COLLAPSE.
// SPDX-License-Identifier: BSD-3-Clause
#include "arena/huge_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

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

// The kernel collapses an extent only if something is in it.
bool collapse(std::byte* extent) {
  volatile std::byte* touched = extent;
  *touched = *touched;
  return ::madvise(extent, huge_page_size, MADV_COLLAPSE) == 0;
}

}  // namespace

void back_with_huge_pages(void* begin, size_t bytes, int owners) {
  static const std::string wanted = setting("ATRIUM_HUGE_PAGES");
  if (wanted == "off" || bytes < huge_page_size) return;
  const uintptr_t first = round_up(reinterpret_cast<uintptr_t>(begin), huge_page_size);
  const uintptr_t end = round_down(reinterpret_cast<uintptr_t>(begin) + bytes, huge_page_size);
  if (first >= end || (wanted != "on" && !worth_it(end - first, owners))) return;
  for (uintptr_t extent = first; extent < end; extent += huge_page_size) {
    if (!collapse(reinterpret_cast<std::byte*>(extent))) {
      if (wanted == "on" && backed == 0)
        warn("no 2 MiB pages: " + system_error("", "madvise(MADV_COLLAPSE)").because);
      return;
    }
    backed += huge_page_size;
  }
}

size_t huge_bytes() { return backed; }

}  // namespace atrium
