// The profile as one page that opens from disk: nothing in it is fetched from anywhere.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "profile/report/model.hpp"

namespace atrium::profile {

std::string page_of(const Profile& profile);

}  // namespace atrium::profile
