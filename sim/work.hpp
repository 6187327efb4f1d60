// What a core's work on memory costs: copies, and sums of operands.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "coll/element_loops.hpp"
#include "sim/world.hpp"

namespace atrium::sim {

// From now on the library's copies take virtual time.
void charge_copies();

// The current PE has worked so long on so many bytes.
void charge(size_t bytes, Time time);

// The same loop, which takes virtual time.
template <Op op, class T>
void combine_charged(void* result, const void* left, const void* right, size_t n) {
  combine_elements<op, T>(result, left, right, n);
  charge(n * sizeof(T), World::here().costs().combining(n * sizeof(T)));
}
template <Op op, class T>
inline constexpr ElementLoop charged_loop{sizeof(T), combine_charged<op, T>, combine_charged<op, T>};

}  // namespace atrium::sim
