// Lines that the check says beside its reports.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium::race {

void say(const std::string& text);
void say_once(const char* text);  // for each text
bool is_quiet();                  // ATRIUM_QUIET
[[noreturn]] void give_up(const char* text);
void write_whole(const std::string& text);  // to standard error, in one piece

}  // namespace atrium::race
