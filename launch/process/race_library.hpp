// The library that looks for races, and whether it can look into a program.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/result.hpp"

namespace atrium {

// Where it lies beside this launcher. An Error: it is missing, or the program is static.
Result<std::string> find_race_library(const std::string& program);

}  // namespace atrium
