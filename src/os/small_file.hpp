// Reads short files of /proc and /sys as a whole.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium {

// The file's text; empty when it cannot be read (a limit that is not there limits nothing).
std::string read_small_file(const std::string& path);

}  // namespace atrium
