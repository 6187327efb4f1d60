// Keeps the launcher's own descriptors apart from those of the programs and scripts that it starts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace atrium {

// The same file where the small descriptors of shell scripts ("exec 3>file") are not in the way; `fd` is closed. What is no
// descriptor (-1) stays so, and errno with it.
int move_up(int fd);

// For a child of the launcher that does not exec: an end of a pipe that it kept open would keep the other end's reader waiting.
void close_all_but(std::vector<int> kept);

}  // namespace atrium
