// Reads a short file of /proc or /sys.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium {

// The whole text; empty when the file is not there or cannot be read.
std::string read_small_file(const std::string& path);

}  // namespace atrium
