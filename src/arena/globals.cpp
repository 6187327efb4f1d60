// Moves the executable's static data into the segment.
// SPDX-License-Identifier: BSD-3-Clause
//
// In a statically linked program this very library's variables, the C library's and malloc's are among the
// data that move. So between the copy and the mapping nothing here may write anything but its own stack: all
// decisions are made before, signals are blocked, and the copy is a loop of ours (an address sanitizer's
// memcpy would also object to the red zones between the program's variables).
#include "arena/globals.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <span>
#include <vector>

#include "arena/raw_copy.hpp"
#include "os/page.hpp"
#include "os/signals_blocked.hpp"

namespace atrium {
namespace {

// For each page whether memory stands behind it (present or swapped), from /proc/self/pagemap. Without that
// file every page counts as touched: then reading them finds out.
// The answer is allocated, and written in full, before the look: where malloc's blocks are among the data (a malloc of the
// program's own), the pages that it takes are touched by then, and so in it.
std::vector<bool> touched_pages(uintptr_t begin, size_t pages) {
  std::vector<bool> touched(pages, true);
  const int pagemap = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (pagemap < 0) return touched;
  constexpr uint64_t present_or_swapped = uint64_t{3} << 62;
  uint64_t entries[512];
  for (size_t page = 0; page < pages;) {
    const size_t wanted = std::min(pages - page, std::size(entries));
    const ssize_t got = ::pread(pagemap, entries, wanted * sizeof entries[0],
                                static_cast<off_t>((begin / page_size() + page) * sizeof entries[0]));
    if (got < static_cast<ssize_t>(sizeof entries[0])) break;
    for (size_t i = 0; i < static_cast<size_t>(got) / sizeof entries[0]; ++i)
      touched[page++] = entries[i] & present_or_swapped;
  }
  ::close(pagemap);
  return touched;
}

// Pages that come from the executable's file hold data whether or not they are in memory yet.
std::vector<bool> pages_to_copy(const DataSegment& data) {
  std::vector<bool> pages = touched_pages(data.begin, data.size() / page_size());
  for (size_t i = 0; i < pages.size(); ++i)
    if (data.is_from_file(data.begin + i * page_size())) pages[i] = true;
  return pages;
}

}  // namespace

Result<void> move_globals(Segment& segment, const DataSegment& data, size_t offset, void* scratch) {
  if (data.size() == 0) return {};
  const size_t page = page_size();
  const std::vector<bool> pages = pages_to_copy(data);
  if (auto committed = segment.commit(data.size(), offset); !committed)
    return committed.error().while_doing("making the program's static data symmetric");
  if (auto mapped = segment.map(scratch, data.size(), offset); !mapped) return mapped.error();

  const uintptr_t shift = reinterpret_cast<uintptr_t>(scratch) - data.begin;
  SignalsBlocked blocked;
  uintptr_t address = data.begin;
  for (const bool is_wanted : pages) {
    if (is_wanted && !raw_is_zero(address, page)) raw_copy(address + shift, address, page);
    address += page;
  }
  auto moved = segment.map(reinterpret_cast<void*>(data.begin), data.size(), offset);
  protect_constants(data);
  return moved;
}

void protect_constants(const DataSegment& data) {
  for (const DataSegment::FromFile& part : std::span(data.from_file, data.parts))
    if (part.is_constant)
      ::mprotect(reinterpret_cast<void*>(part.begin), round_up(part.end - part.begin, page_size()),
                 PROT_READ);
}

}  // namespace atrium
