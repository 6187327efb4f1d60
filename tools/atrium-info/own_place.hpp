// Where atrium-info itself is installed, and what lies beside it: an installation may have been moved.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium {

// The path of `name` in the folder of the file `path`.
std::string beside(const std::string& path, const std::string& name);
// The folder with the examples and the manual, and which of them it has; or that it is not there.
std::string documentation();

}  // namespace atrium
