// System V segments that a PE could not mark for removal any more, because it was killed in between.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <ctime>

namespace atrium {

// Removes private segments that `creator` has created since `begin`, and to which no process is attached. Requires: that
// process has ended.
void remove_segments_of(pid_t creator, time_t begin);

}  // namespace atrium
