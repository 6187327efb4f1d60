// PE numbers so wrong that inlined code faults: they become the message that any wrong number gets.
// SPDX-License-Identifier: BSD-3-Clause
//
// While arguments are checked, inlined code finds AWAY in one table, the world's shown one, and calls the library,
// which says what is wrong. A number more than 64 outside faults in that table's guard instead. From then on the
// guard's page is AWAY as well, and the instruction is executed again: nothing is said in a signal handler. One fault is:
// of inlined code that reads SHMEM_CTX_INVALID, at address 0, where debugging information tells that it is such code. Every
// other fault is left to whom it belonged to, as if we had not looked.
#pragma once

#include "arena/delta_table.hpp"

namespace atrium {

// Takes SIGSEGV, for faults in this memory only, and for those of small negative numbers of a table that is too short
// for them. Again after each init: the same memory.
void answer_faults_in(Guarded table, const ptrdiff_t* entry_of_pe_0);

}  // namespace atrium
