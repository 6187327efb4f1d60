// Finds the program as a shell would.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "core/result.hpp"

namespace atrium {

// Why no PE can be started, and the exit status that says so.
struct Refusal {
  Error error;
  int status;
};

struct Program {
  std::string path;
  std::optional<Refusal> refusal;  // 126 not executable, 127 not found
};

Program find_program(const std::string& name);

}  // namespace atrium
