// The profile as one page that opens from disk: nothing in it is fetched from anywhere.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "profile/report/model.hpp"

namespace atrium::profile {

// Where a profile is from: what makes it comparable with another one.
struct Circumstances {
  std::string date, host, version, command;
  int cpus = 0;  // that the PEs could use
};

std::string page_of(const Profile& profile, const Circumstances& circumstances);

}  // namespace atrium::profile
