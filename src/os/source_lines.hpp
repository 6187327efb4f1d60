// Functions, files and lines of addresses in this process, by elfutils' libdwfl, which is opened when it is needed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

namespace atrium {

// Prints "  #0  function at file:line" for each frame of a back trace, the innermost first; its first address is where the
// process is, the others are where it returns to. For a signal handler: a child of its own does the work, which
// needs memory from a heap that may be broken, and is given up when it does not end. False when nothing could be
// printed: there is no libdw.so.1, or the child failed.
bool print_source_lines(std::span<void* const> frames, int fd);

}  // namespace atrium
