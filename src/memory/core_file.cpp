// Tells the kernel which part of the heap is worth dumping.
// SPDX-License-Identifier: BSD-3-Clause
#include "memory/core_file.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "arena/arena.hpp"
#include "os/page.hpp"

namespace atrium {
namespace {

size_t dumped = 0;  // bytes from the heap's beginning

}  // namespace

void begin_core_file() {
  dumped = 0;
  ::madvise(arena.heap().begin, arena.heap().bytes, MADV_DONTDUMP);
}

// In steps of a huge page, so that few blocks cost a system call and no huge page is cut in two.
void extend_core_file(size_t end) {
  if (end <= dumped) return;
  const size_t grown = std::min(round_up(end, huge_page_size), arena.heap().bytes);
  ::madvise(arena.heap().begin + dumped, grown - dumped, MADV_DODUMP);
  dumped = grown;
}

}  // namespace atrium
