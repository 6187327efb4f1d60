// Creates and replaces the folder in which an OTF2 archive lies.
// SPDX-License-Identifier: BSD-3-Clause
//
//   NAME.otf2/traces.otf2, traces.def, traces/0.evt, traces/0.def, ...
#pragma once

#include <optional>
#include <string>

#include "profile/trace/trace.hpp"

namespace atrium::profile {

// An empty folder of that name. An archive that was there is replaced, as a file would be; a folder that holds anything else
// is left alone.
std::optional<TraceProblem> make_archive_folder(const std::string& path);
// A folder of that name is there, and has what no archive has.
bool holds_other_than_archive(const std::string& path);
TraceProblem other_than_archive();
// What an archive has there. It removes nothing else.
void remove_archive(const std::string& path);

}  // namespace atrium::profile
