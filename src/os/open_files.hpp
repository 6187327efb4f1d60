// How many files this process may have open: the limit of setrlimit(2).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "core/result.hpp"

namespace atrium {

// From here on as many as the system allows, whatever soft limit the process was started with: so many.
size_t raise_open_files();

// The limit of a process of this user's that has as many files open as it may; 0: it may open more, or that cannot be found out.
size_t limit_reached_by(int process);

// The limit is again what it was before. By a system call only, so that a child can call it before it becomes another program.
void restore_open_files();

// Raises the limit; an error if `wanted` files are more. `what` cannot be done then, and `otherwise` helps, too.
Result<void> require_open_files(size_t wanted, const std::string& what, const std::string& otherwise);

}  // namespace atrium
