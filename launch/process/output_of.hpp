// Runs a short command and returns what it prints.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"

namespace atrium {

// Waits for the command to end. Its standard error is oshrun's. An Error's `because` says what went wrong.
Result<std::string> output_of(const std::vector<std::string>& command);

}  // namespace atrium
