// A kernel for the copy plan that takes simulated time instead of copying.
// SPDX-License-Identifier: BSD-3-Clause
#include "sim/work.hpp"

#include <cstring>

#include "copy/copy.hpp"

namespace atrium::sim {
namespace {

void copy_charged(void* dest, const void* source, size_t bytes) {
  if (bytes <= copied_inline)
    copy_small(dest, source, bytes);
  else
    std::memcpy(dest, source, bytes);
  if (World::here().is_running() && bytes > 0) charge(bytes, World::here().costs().copying(bytes));
}

constexpr CopyKernel charged{"charged", copy_charged, nullptr};

}  // namespace

// Small blocks and operands come in large numbers: they take time, but no other PE has its turn in between.
void charge(size_t bytes, Time time) {
  bytes <= copied_inline ? World::here().advance(time) : World::here().spend(time);
}

void charge_copies() {
  CopyBands bands;
  bands.first = 0;
  bands.count = 1;
  bands.bands[0] = {0, &charged};
  detail::copy_plan = {bands, bands};
}

}  // namespace atrium::sim
