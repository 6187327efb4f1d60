// Private memory, or memory that is lent.
// SPDX-License-Identifier: BSD-3-Clause
#include "segment/scratch.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include "segment/lent_memory.hpp"

namespace atrium::mpi {
namespace {

constexpr std::size_t smallest = 64 << 10;

}  // namespace

std::byte* Scratch::room(std::size_t bytes, bool is_lent) {
  if (memory_ && bytes <= bytes_ && is_lent == is_lent_) return memory_;
  release();
  const std::size_t generous = std::max(smallest, std::bit_ceil(bytes));
  memory_ = is_lent ? static_cast<std::byte*>(lend_memory(generous)) : new (std::nothrow) std::byte[generous];
  bytes_ = memory_ ? generous : 0;
  is_lent_ = is_lent;
  return memory_;
}

void Scratch::release() {
  if (is_lent_)
    return_memory(memory_);
  else
    delete[] memory_;
  memory_ = nullptr;
  bytes_ = 0;
}

}  // namespace atrium::mpi
