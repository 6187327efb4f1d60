// The libraries of profiling tools, and whether they can look into a program.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/result.hpp"

namespace atrium {

struct ToolLibrary {
  const char* file;
  const char* purpose;    // "cannot look for races in"
  const char* sanitized;  // what to try with a program that has a sanitizer of its own
};
inline constexpr ToolLibrary race_library{"libatrium-race.so.0", "cannot look for races in",
                                          "to build it without -fsanitize, or with oshcc -fatrium-race"};
inline constexpr ToolLibrary profile_library{"libatrium-profile.so.0", "cannot profile",
                                             "to build it without -fsanitize"};

// Its path, to be put in front of the program's libraries; an Error that says why that cannot be done.
Result<std::string> find_tool_library(const ToolLibrary& tool, const std::string& program);

}  // namespace atrium
