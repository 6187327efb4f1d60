// What faults of the program's memory mean, as far as they come from calls of OpenSHMEM.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

namespace atrium {

// What becomes of the handler is noted there (FaultWatch), for the launcher: without a stack for it the kernel ends the process.
void note_faults_in(std::atomic<uint32_t>& word);

// Takes SIGSEGV and SIGBUS: answers wrong PE numbers (check/guard_faults.hpp), refuses what has no copy on a peer
// (check/stray_access.hpp) and, while arguments are checked, SHMEM_CTX_INVALID in inlined code. Every other fault is left to
// whom it belonged to, as if we had not looked. Again after each init.
void take_faults();

}  // namespace atrium
