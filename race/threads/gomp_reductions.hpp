// Reductions over tasks, by gcc: copies of what is reduced, one for each thread, whichever tasks it runs.
// SPDX-License-Identifier: BSD-3-Clause
//
// What tasks do to them is ordered by the thread that runs them, and by nothing else that is followed. libgomp keeps the copies
// in memory of its own, which is not checked until the reduction ends. A descriptor is the program's, completed by libgomp
// when it registers it, and stands for the reduction.
#pragma once

#include <cstdint>

namespace atrium::race {

// Requires: it is registered. By whichever threads come to know of it.
void begin_reductions(const uintptr_t* descriptor);
void end_reductions(const uintptr_t* descriptor);

// Of a worksharing construct, where each thread has a descriptor, all for the same copies.
void share_reductions(const uintptr_t* descriptor);

}  // namespace atrium::race
