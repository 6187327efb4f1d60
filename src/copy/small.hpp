// Copies of at most a cache line, inline: those of a word and more as programs make them, and smaller ones.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "shmem/blocks.h"

namespace atrium {

// Requires: at most ATRIUM_INLINE_BYTES bytes.
inline void copy_small(void* dest, const void* source, size_t bytes) {
  auto* to = static_cast<char*>(dest);
  const auto* from = static_cast<const char*>(source);
  if (__builtin_expect(bytes >= ATRIUM_WORD_BYTES, 1)) return atrium_move(to, from, bytes);
  if (bytes >= 4)
    ATRIUM_MOVE_ENDS(uint32_t, to, from, bytes);
  else if (bytes >= 2)
    ATRIUM_MOVE_ENDS(uint16_t, to, from, bytes);
  else if (bytes == 1)
    *to = *from;
}

}  // namespace atrium
