// Everything that was recorded, a row for each number, for spreadsheets and scripts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "profile/report/model.hpp"

namespace atrium::profile {

// Columns: table, routine or name, file, line, function, PE, other PE, calls, bytes, seconds, waiting, longest.
std::string csv_of(const Profile& profile);

}  // namespace atrium::profile
