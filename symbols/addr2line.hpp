// Lines by the program addr2line of binutils, which is there wherever a compiler is.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "symbols/debug_info.hpp"

namespace atrium {

// The innermost function first. Empty where addr2line is not installed; else at least one, which may be unknown.
std::vector<SourceFrame> ask_addr2line(const std::string& file, uint64_t address);

// Of each of many addresses, in their order: it reads the file's debugging information each time it is asked. Empty where
// addr2line is not installed, or cannot read the file.
std::vector<std::vector<SourceFrame>> ask_addr2line(const std::string& file,
                                                    std::span<const uint64_t> addresses);

}  // namespace atrium
