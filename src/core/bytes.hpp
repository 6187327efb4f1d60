// The size of an array in bytes, where an overflow becomes a size that no memory has.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace atrium {

// Bytes of `count` elements. A product that overflows becomes more than there is memory, which both the
// checks and copies (copy/copy.hpp) refuse; cut off it would be a small, wrong copy.
inline size_t bytes_of(size_t count, size_t element) {
  size_t bytes;
  return __builtin_mul_overflow(count, element, &bytes) ? SIZE_MAX : bytes;
}
// From the first byte of the first of `count` pieces, each `step` behind the one before it, to the last byte of the last:
// SIZE_MAX as above. Requires: count > 0.
inline size_t extent_of(size_t count, size_t step, size_t piece) {
  size_t all;
  return __builtin_add_overflow(bytes_of(count - 1, step), piece, &all) ? SIZE_MAX : all;
}

}  // namespace atrium
