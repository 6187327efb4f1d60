// One loop per element size, so that an element is one load and one store; larger blocks go through copy().
// SPDX-License-Identifier: BSD-3-Clause
#include "copy/strided.hpp"

#include "copy/copy.hpp"
#include "core/bytes.hpp"

namespace atrium {
namespace {

template <size_t Bytes>
struct Element {
  unsigned char bytes[Bytes];
};

// Four at a time: a round of a loop costs more than moving an element.
template <size_t Bytes>
void copy_elements(std::byte* dest, const std::byte* source, ptrdiff_t dest_step, ptrdiff_t source_step,
                   size_t count) {
  constexpr size_t together = 4;
  Element<Bytes> element[together];
  for (; count >= together; count -= together) {
    for (auto& each : element) {
      __builtin_memcpy(&each, source, Bytes);
      source += source_step;
    }
    for (const auto& each : element) {
      __builtin_memcpy(dest, &each, Bytes);
      dest += dest_step;
    }
  }
  for (; count > 0; --count, dest += dest_step, source += source_step) __builtin_memcpy(dest, source, Bytes);
}

void copy_blocks(std::byte* dest, const std::byte* source, ptrdiff_t dest_step, ptrdiff_t source_step,
                 size_t block, size_t count) {
  for (; count > 0; --count, dest += dest_step, source += source_step) copy(dest, source, block);
}

}  // namespace

void copy_strided(void* dest, const void* source, ptrdiff_t dest_step, ptrdiff_t source_step, size_t block,
                  size_t count) {
  auto* to = static_cast<std::byte*>(dest);
  const auto* from = static_cast<const std::byte*>(source);
  if (lie_side_by_side(dest_step, source_step, block)) return copy(to, from, bytes_of(count, block));
  switch (block) {
    case 1:
      return copy_elements<1>(to, from, dest_step, source_step, count);
    case 2:
      return copy_elements<2>(to, from, dest_step, source_step, count);
    case 4:
      return copy_elements<4>(to, from, dest_step, source_step, count);
    case 8:
      return copy_elements<8>(to, from, dest_step, source_step, count);
    case 16:
      return copy_elements<16>(to, from, dest_step, source_step, count);
    default:
      return copy_blocks(to, from, dest_step, source_step, block, count);
  }
}

}  // namespace atrium
