// The sizes of pages, and rounding to multiples of them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace atrium {

inline size_t page_size() { return static_cast<size_t>(getpagesize()); }

// The size of the pages that MADV_COLLAPSE and transparent huge pages make with 4 KiB base pages.
inline constexpr size_t huge_page_size = size_t{2} << 20;

constexpr size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }
constexpr size_t round_down(size_t value, size_t unit) { return value / unit * unit; }

}  // namespace atrium
