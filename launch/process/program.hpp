// Finds the program as a shell would.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/result.hpp"

namespace atrium {

struct Program {
  std::string path;  // empty when it cannot be run
  int status = 0;    // then: 126 not executable, 127 not found
  Error error;
};

Program find_program(const std::string& name);

}  // namespace atrium
