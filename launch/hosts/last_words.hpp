// What a command that reaches another host has said before it failed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "launch/report/exit_rules.hpp"

namespace atrium {

// The reason behind `because`; nothing where it has said nothing.
std::string with_last_words(const std::string& because, const std::string& said);

// It has reached the host, and there is no oshrun.
bool oshrun_is_missing_there(const Ending& ending, const std::string& said);

}  // namespace atrium
