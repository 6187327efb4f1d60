// Allocates private memory, or memory that other ranks can map.
// SPDX-License-Identifier: BSD-3-Clause
#include "segment/scratch.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include "segment/exported_memory.hpp"

namespace atrium::mpi {
namespace {

constexpr std::size_t smallest = 64 << 10;

}  // namespace

std::byte* Scratch::room(std::size_t bytes, bool is_exported) {
  if (memory_ && bytes <= bytes_ && is_exported == is_exported_) return memory_;
  release();
  const std::size_t generous = std::max(smallest, std::bit_ceil(bytes));
  memory_ = is_exported ? static_cast<std::byte*>(allocate_exported_memory(generous))
                        : new (std::nothrow) std::byte[generous];
  bytes_ = memory_ ? generous : 0;
  is_exported_ = is_exported;
  return memory_;
}

void Scratch::release() {
  if (is_exported_)
    free_exported_memory(memory_);
  else
    delete[] memory_;
  memory_ = nullptr;
  bytes_ = 0;
}

}  // namespace atrium::mpi
