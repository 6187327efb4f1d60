// Lines of a tool on standard error, each written in one piece.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium::interpose {

// What the lines begin with after "atrium: "; each tool defines it.
extern const char* const tool_name;

void say(const std::string& text);
void say_once(const char* text);  // for each text
bool is_quiet();                  // ATRIUM_QUIET
[[noreturn]] void give_up(const char* text);

}  // namespace atrium::interpose
