// Reads the mappings of this process from /proc/self/maps and computes the free ranges between them.
// SPDX-License-Identifier: BSD-3-Clause
#include "os/address_space.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "atrium_system.hpp"
#include "os/page.hpp"

namespace atrium {
namespace {

constexpr uintptr_t lowest_usable = uintptr_t{16} << 20;  // leave the null page's neighbourhood alone

// The end of user space: the kernel does not report it, but the stack lies within a gigabyte or so of it on every layout
// Linux uses, and address bits come in known numbers (39, 42, 47, 48).
uintptr_t user_space_end(uintptr_t highest_mapping) {
  for (int bits : {39, 42, 47, 48})
    if (highest_mapping <= (uintptr_t{1} << bits)) return (uintptr_t{1} << bits) - page_size();
  return highest_mapping;
}

}  // namespace

Result<std::vector<AddressRange>> free_ranges() {
  const std::string maps = read_small_file("/proc/self/maps");
  if (maps.empty())
    return Error{"cannot see this process's memory map", "/proc/self/maps cannot be read", {}, "mount /proc"};
  std::vector<AddressRange> free;
  uintptr_t cursor = lowest_usable;
  const char* line = maps.c_str();
  while (*line) {
    char* end = nullptr;
    const uintptr_t begin_mapping = std::strtoull(line, &end, 16);
    const uintptr_t end_mapping = std::strtoull(end + 1, &end, 16);
    const bool kernel_page = begin_mapping >> 63;  // [vsyscall]
    if (begin_mapping > cursor && !kernel_page) free.push_back({cursor, begin_mapping});
    if (!kernel_page) cursor = std::max(cursor, end_mapping);
    while (*line && *line != '\n') ++line;
    if (*line) ++line;
  }
  const uintptr_t top = user_space_end(cursor);
  if (top > cursor) free.push_back({cursor, top});
  return free;
}

bool is_free(const std::vector<AddressRange>& ranges, uintptr_t begin, size_t size) {
  for (const AddressRange& range : ranges)
    if (begin >= range.begin && begin < range.end && size <= range.end - begin) return true;
  return false;
}

}  // namespace atrium
