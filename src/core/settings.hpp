// The settings: one table of every environment variable Atrium knows, with type, default and meaning.
// SPDX-License-Identifier: BSD-3-Clause
//
// Every other file reads the environment through here, so that SHMEM_INFO, atrium-info and the check for
// misspelt names see all there is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace atrium {

// name: SHMEM_... (then SMA_... is honoured too) or ATRIUM_...; kind: how a value is written (base/atrium_settings.h).
struct Setting {
  const char *name, *kind, *fallback, *meaning;
  bool is_common = false;  // all PEs of a job must have the same (job/common_settings.hpp)
};

// The whole table, in the order in which it is shown.
std::span<const Setting> all_settings();

// The text given for a setting: SHMEM_X, else SMA_X; nullopt when unset, and in a program that must not believe its
// environment (core/privilege.hpp). The name must be in the table.
std::optional<std::string> given(std::string_view name);

// The text in force: what was given, else the default; a variable that is set to nothing counts as not given.
std::string setting(std::string_view name);

// Typed reads. A value that does not parse is an Error that names the variable and shows a good value.
Result<size_t> size_setting(std::string_view name);
Result<long> number_setting(std::string_view name);
Result<double> seconds_setting(std::string_view name);
Result<std::string> word_setting(std::string_view name);  // one of the words of `kind`
// A value that is neither on nor off counts as the default: check_settings() has said it.
bool flag_setting(std::string_view name);

// Whether it parses; an Error for the first of all that are given and do not.
Result<void> check_setting(std::string_view name);
Result<void> check_settings();

// Seconds that a user gave, as nanoseconds or rounded up; what is longer than a hundred years is a hundred years.
uint64_t nanoseconds_of(double seconds);
uint32_t whole_seconds_of(double seconds);

// Present at all, whatever its value (SHMEM_VERSION, SHMEM_INFO, SHMEM_DEBUG: specification section 8).
bool present(std::string_view name);

// ATRIUM_... variables in the environment that are not in the table, each with the nearest known name ("" if
// none is near).
struct Misspelt {
  std::string name;
  std::string nearest;
};
std::vector<Misspelt> misspelt_variables();

// "1.5G" -> 1610612736.
std::optional<size_t> parse_size(std::string_view text);
// 1610612736 -> "1.5G".
std::string format_size(size_t bytes);

}  // namespace atrium
