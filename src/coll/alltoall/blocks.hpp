// The blocks of an alltoall: nelems elements each, with strides; alltoall is the case where both strides are 1.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "check/check.hpp"
#include "copy/copy.hpp"
#include "copy/strided.hpp"
#include "team/team.hpp"

namespace atrium {

struct AlltoallBlocks {
  std::byte* dest;
  const std::byte* source;
  ptrdiff_t dest_stride;  // elements
  ptrdiff_t source_stride;
  size_t nelems;   // per block
  size_t element;  // bytes
  size_t apart;    // elements from the beginning of a block to that of the next

  size_t bytes() const { return bytes_of(nelems, element); }
  // Neither here nor there are gaps. The same on all members, since strides are.
  bool are_contiguous() const { return dest_stride == 1 && source_stride == 1; }
  // The same blocks, but `count` elements of each, from element `first` on.
  AlltoallBlocks part(size_t first, size_t count) const {
    const auto begin = static_cast<ptrdiff_t>(first * element);
    return {dest + begin * dest_stride,
            source + begin * source_stride,
            dest_stride,
            source_stride,
            count,
            element,
            apart};
  }
  std::byte* dest_block(int block) const { return dest + first_byte(block, dest_stride); }
  const std::byte* source_block(int block) const { return source + first_byte(block, source_stride); }

  // From the first byte to the last of so many blocks.
  size_t dest_extent(int members) const { return extent(members, dest_stride); }
  size_t source_extent(int members) const { return extent(members, source_stride); }

 private:
  size_t extent(int members, ptrdiff_t stride) const {
    return extent_of(bytes_of(static_cast<size_t>(members), nelems),
                     bytes_of(static_cast<size_t>(stride), element), element);
  }
  ptrdiff_t first_byte(int block, ptrdiff_t stride) const {
    return stride * block * static_cast<ptrdiff_t>(apart * element);
  }
};

// Copies a block's elements, each stride in elements.
inline void copy_elements(const AlltoallBlocks& blocks, std::byte* dest, ptrdiff_t dest_stride,
                          const std::byte* source, ptrdiff_t source_stride) {
  if (dest_stride == 1 && source_stride == 1) return atrium::copy(dest, source, blocks.bytes());
  const auto element = static_cast<ptrdiff_t>(blocks.element);
  copy_strided(dest, source, dest_stride * element, source_stride * element, blocks.element, blocks.nelems);
}

// From a source block to a dest block.
inline void copy_block(const AlltoallBlocks& blocks, std::byte* dest, const std::byte* source) {
  copy_elements(blocks, dest, blocks.dest_stride, source, blocks.source_stride);
}
// Into a member's dest, and from its source: `place` and `source` are my addresses of theirs.
void put_block(const Team& team, int member, const AlltoallBlocks& blocks, std::byte* place,
               const std::byte* source);
void get_block(const Team& team, int member, const AlltoallBlocks& blocks, std::byte* dest,
               const std::byte* source);
// Through contiguous memory.
inline void pack_block(const AlltoallBlocks& blocks, std::byte* packed, const std::byte* source) {
  copy_elements(blocks, packed, 1, source, blocks.source_stride);
}
inline void unpack_block(const AlltoallBlocks& blocks, std::byte* dest, const std::byte* packed) {
  copy_elements(blocks, dest, blocks.dest_stride, packed, 1);
}

}  // namespace atrium
