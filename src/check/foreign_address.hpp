// Faults at an address that another PE of this node has sent: of its program, its heap or its stack.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>
#include <sys/types.h>

namespace atrium {

// The process of the PE at a place of this node; 0 if there is none.
void know_neighbours_by(pid_t (*process_at)(int place));

// In a handler of SIGSEGV or SIGBUS: says whose address it was, if this process has no memory there and another PE has. The
// fault remains what it was.
void explain_foreign_address(const siginfo_t& info, const void* context);

}  // namespace atrium
