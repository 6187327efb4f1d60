// How much memory this process may use.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace atrium {

// Bytes of memory for all processes here: the least of the machine's memory, the cgroup's limit (version 1 or 2), and what the kernel
// promises where it promises no more than it has (vm.overcommit_memory=2): who touches more gets SIGBUS.
size_t memory_of_node();

// Bytes that could be handed out now without pushing anybody out: of what the machine has available and of what the
// limits of control groups and the kernel's promises leave, the least. Unused file caches count as left.
size_t memory_left();

// Bytes that this process may keep from being swapped out (ulimit -l), or SIZE_MAX.
size_t lockable_memory();

// Bytes of address space this process may still reserve (ulimit -v), or SIZE_MAX.
size_t address_space_left();

}  // namespace atrium
