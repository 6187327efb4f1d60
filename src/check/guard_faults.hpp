// PE numbers so far outside the job that inlined code faults: the fault becomes the message that any wrong number gets.
// SPDX-License-Identifier: BSD-3-Clause
//
// While arguments are checked, inlined code reads one table alone, in which every PE is AWAY, and calls the library, which says
// what is wrong. A number more than 64 outside faults in the guard of that table instead. From then on the guard's page is AWAY
// as well, and the instruction is executed again, so the signal handler itself prints nothing.
#pragma once

#include <signal.h>

#include "arena/delta_table.hpp"

namespace atrium {

// From now on faults in this memory are answered, and those of small negative numbers of a table that is too short for
// them. Again after each init: the same memory.
void answer_faults_in(GuardedTable table, const ptrdiff_t* entry_of_pe_0);

// In a handler of SIGSEGV: whether the fault is one of these, and the instruction can be executed again.
bool answer_wrong_number(const siginfo_t& info);

}  // namespace atrium
