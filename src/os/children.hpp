// The child processes of this one, whichever of its threads has started them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <vector>

namespace atrium {

// Those that have not ended.
std::vector<pid_t> living_children();

// One system call as long as there are none.
bool has_living_child();

}  // namespace atrium
