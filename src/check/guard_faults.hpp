// PE numbers so wrong that inlined code faults: they become the message that any wrong number gets.
// SPDX-License-Identifier: BSD-3-Clause
//
// While arguments are checked, inlined code finds AWAY in one table, the world's shown one, and calls the library,
// which says what is wrong. A number more than 64 outside faults in that table's guard instead. From then on the
// guard's page is AWAY as well, and the instruction is executed again: nothing is said in a signal handler.
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
