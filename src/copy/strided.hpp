// Moves blocks that lie at regular distances (strided puts and gets).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium {

// Blocks that begin so many bytes apart have no gaps between them, neither here nor there.
constexpr bool lie_side_by_side(ptrdiff_t dest_step, ptrdiff_t source_step, size_t block) {
  const auto step = static_cast<ptrdiff_t>(block);
  return dest_step == step && source_step == step;
}

// Copies `count` blocks of `block` bytes; block i lies at dest + i * dest_step and source + i * source_step
// (bytes). Requires: dest and source blocks do not overlap.
void copy_strided(void* dest, const void* source, ptrdiff_t dest_step, ptrdiff_t source_step, size_t block,
                  size_t count);

}  // namespace atrium
