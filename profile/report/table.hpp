// The tables that oshrun prints when a job has ended.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "profile/report/model.hpp"

namespace atrium::profile {

std::string text_of(const Profile& profile);

// Why no PE is in the record buffer, and what to try.
std::string explain_empty(const std::string& program);

}  // namespace atrium::profile
