// How much memory this process may use.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium {

// Bytes of memory for all processes here: the smaller of the machine's memory and the cgroup's limit (version 1 or 2).
size_t memory_of_node();

// Bytes that could be handed out now without pushing anybody out: of what the machine has available and of what the
// limits of control groups leave, the least. Unused file caches count as left.
size_t memory_left();

// Bytes that this process may keep from being swapped out (ulimit -l), or SIZE_MAX.
size_t lockable_memory();

// Bytes of address space this process may still reserve (ulimit -v), or SIZE_MAX.
size_t address_space_left();

}  // namespace atrium
