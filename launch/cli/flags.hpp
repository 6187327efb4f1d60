// The flags of oshrun: one table.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "launch/cli/options.hpp"

namespace atrium {

using Values = std::span<const std::string>;

struct Flag {
  const char* names;  // separated by spaces, without dashes
  int values;         // how many words follow; `optional_value` when only "--flag=value" gives one
  Result<void> (*apply)(Options& options, Values values);
  bool starts_agents = false;  // about other hosts; not passed on to their agents
};

inline constexpr int optional_value = -1;

// Our own, and those of other launchers that can be taken here or must be refused.
std::span<const Flag> own_flags();
std::span<const Flag> foreign_flags();

const Flag* find_flag(std::string_view name);
// "" when nothing is near.
std::string nearest_flag(std::string_view name);

// Shared by the two tables.
template <auto member, auto value>
Result<void> set_to(Options& options, Values) {
  options.*member = value;
  return {};
}
Result<void> set_hosts(Options& options, Values values);
Result<void> set_host_file(Options& options, Values values);
Error bad_word(const std::string& what, const std::string& remedy);

}  // namespace atrium
