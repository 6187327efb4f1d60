// Faults at a peer's copy of what has no copy: memory that is not symmetric, or what lies behind its end.
// SPDX-License-Identifier: BSD-3-Clause
//
// Inlined code adds a peer's delta to whatever address the program passes. Of an address that is not symmetric the sum is in a
// hole of the views (arena/map.cpp), or where nothing is at all; so the access faults, and the difference is the
// program's address again.
#pragma once

#include <signal.h>

namespace atrium {

// In a handler of SIGSEGV or SIGBUS: ends the job with a message if the fault is one of these; else returns.
void refuse_stray_access(const siginfo_t& info, const void* context);

}  // namespace atrium
