// Whether a file that is written when the job is over can be written, asked before it begins.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace atrium::profile {

// 0, or the errno with which writing a file of that name would fail. Changes no file and leaves none behind.
int hindrance_to_file(const std::string& path);
// As before, for a folder.
int hindrance_to_folder(const std::string& path);

// How each of our JSON files begins.
inline constexpr std::string_view trace_beginning = "{\"displayTimeUnit\"";
// The file exists and is no trace of ours: a program, a source, a table.
bool holds_other_than_trace(const std::string& path);

}  // namespace atrium::profile
