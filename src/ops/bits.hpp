// The element of routines that are named by a size in bits: put8 ... put128, iget32, collect64.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium {

// Alignment as for an integer of that size.
template <int N>
struct alignas(N / 8) Bits {
  std::byte bytes[N / 8];
};

}  // namespace atrium
