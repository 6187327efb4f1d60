// The child processes of this process, whichever of its threads has started them, and of others.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <vector>

namespace atrium {

// All that name this process as their parent, whether they have ended or not.
std::vector<pid_t> children_of(pid_t parent);

// Those of this process, until it has collected them: one that ends hands its own children over before it can be collected.
std::vector<pid_t> uncollected_children();

// Those of this process that have not ended.
std::vector<pid_t> living_children();

// One system call as long as there are none.
bool has_living_child();

}  // namespace atrium
