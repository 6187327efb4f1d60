// Which parts of this process's address space are free.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/result.hpp"

namespace atrium {

struct AddressRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  size_t size() const { return end - begin; }
};

// The unmapped ranges between the lowest usable address and the end of user space, in rising order. A
// snapshot: callers map there with MAP_FIXED_NOREPLACE and must expect to be refused.
Result<std::vector<AddressRange>> free_ranges();

// Whether [begin, begin + size) lies inside one of the ranges.
bool is_free(const std::vector<AddressRange>& ranges, uintptr_t begin, size_t size);

}  // namespace atrium
