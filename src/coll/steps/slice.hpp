// Slices: large arrays are divided among the members, each works on its slice in pieces that stay in the
// first-level cache.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>

#include "team/team.hpp"

namespace atrium {

inline constexpr size_t piece_bytes =
    8192;  // a sixth of the first-level cache of today's servers (32 to 64 KiB)

struct Slice {
  size_t begin, end;  // elements
  size_t piece;
};

// Slices begin on line pairs of the array, so that two members do not write into the same line. To be asked
// for before a sync, where its divisions cost nothing: the peers are not there yet.
inline Slice slice_of(int member, int members, size_t n, size_t element) {
  const size_t unit = std::max<size_t>(1, 128 / element);
  const size_t share = (n + static_cast<size_t>(members) - 1) / static_cast<size_t>(members);
  const size_t length = (share + unit - 1) / unit * unit;
  const size_t begin = std::min(n, static_cast<size_t>(member) * length);
  return {begin, std::min(n, begin + length), piece_bytes / element};
}

// work(first, count) for each piece of a slice.
template <class Work>
void for_each_piece(const Slice& slice, Work work) {
  for (size_t first = slice.begin; first < slice.end; first += slice.piece)
    work(first, std::min(slice.piece, slice.end - first));
}

inline std::byte* element_at(void* array, size_t index, size_t element) {
  return static_cast<std::byte*>(array) + index * element;
}
inline const std::byte* element_at(const void* array, size_t index, size_t element) {
  return static_cast<const std::byte*>(array) + index * element;
}

}  // namespace atrium
