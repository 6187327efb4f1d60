// Lists of small numbers as people and the kernel write them: "0,2-4".
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atrium {

// "0,2-4" -> {0, 2, 3, 4}, in the order written. A trailing newline is allowed; nullopt for anything else.
std::optional<std::vector<int>> parse_number_list(std::string_view text);

// {0, 2, 3, 4} -> "0,2-4".
std::string format_number_list(const std::vector<int>& numbers);

// {3} -> "PE 3", {0, 2, 3, 4} -> "PEs 0,2-4".
std::string format_pes(const std::vector<int>& pes);

}  // namespace atrium
