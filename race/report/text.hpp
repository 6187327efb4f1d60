// Formats a finding as text for people and as JSON for tools.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "race/shadow/shared_memory.hpp"

namespace atrium::race {

// One line, at once: a job that hangs later has said it.
void print_short(const RaceReport& report);
std::string text_of(const RaceReport& report, uint64_t count, int pairs);
std::string json_of(const RaceReport& report, uint64_t count, int pairs);
std::string headline_of(const RaceReport& report);

}  // namespace atrium::race
