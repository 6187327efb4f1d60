// Where the executable of this process lies: its program headers, its bias, its code.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <link.h>

#include <cstdint>
#include <span>

namespace atrium {

// As the kernel has passed them, which is the executable's also where a preloaded library comes first.
std::span<const ElfW(Phdr)> program_headers();

// What is added to an address of the executable's file to get where it was loaded.
uintptr_t executable_bias();

// Where its code lies.
struct CodeRange {
  uintptr_t begin = 0, bytes = 0;
  bool has(uintptr_t address) const { return address - begin < bytes; }
};
CodeRange executable_code();

// It needs no loader: the C library is part of it, and its data are among the executable's.
bool executable_is_static();

inline constexpr const char* executable_file = "/proc/self/exe";
// Whether that is the file which was loaded: under valgrind, or behind an explicit loader, it is another program's.
bool executable_file_is_ours();

}  // namespace atrium
