// Opening what another process of the same user has open.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include "core/result.hpp"

namespace atrium {

// A descriptor of my own for the file behind descriptor `number` of process `owner`, close-on-exec.
// The kernel admits only processes that may read each other's state: the same user, in the same container.
// That is why this needs neither a socket, whose name others could guess, nor a secret. `without`: what to try where the kernel
// does not admit this one.
Result<int> open_descriptor_of(pid_t owner, int number, const char* without);

// If that process of the job has ended: its launcher ends the others, too, and says why unless that was asked for.
// Returns if it has not ended.
void wait_to_be_ended(pid_t process);

}  // namespace atrium
