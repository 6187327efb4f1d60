// On which memory nodes a block lies, where a hint of shmem_malloc_with_hints asks for that.
// SPDX-License-Identifier: BSD-3-Clause
//
// A hint is advice: it never makes an allocation fail. The kernel keeps the policy with the segment, page by page, so that it
// also rules what a peer touches first. Without a hint nothing is placed: pages follow who touches them first.
#pragma once

#include <cstddef>
#include <string>

#include "shmemx.h"

namespace atrium {

constexpr long placing_hints = SHMEMX_MALLOC_INTERLEAVE | SHMEMX_MALLOC_HIGH_BANDWIDTH;
constexpr bool are_placing(long hints) { return (hints & placing_hints) != 0; }

// Of which such a block takes whole ones, so that its policy touches no other's memory: the same on all PEs, whatever nodes
// their machines have. Without such hints the allocator's granule.
size_t unit_of_block(size_t bytes, long hints);

// Requires: whole pages. Answers why the hints cannot be followed; empty if they are.
std::string place_pages(void* begin, size_t bytes, long hints);

// From here on they follow who touches them first, as all others.
void forget_placement(void* begin, size_t bytes);

}  // namespace atrium
