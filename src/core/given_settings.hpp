// The settings that the environment gives, found with one look at it. Looking each of the table up instead would take a PE at its start
// longer than anything else that it computes.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/settings.hpp"

namespace atrium {

// Those that some variable names, in the order of the table; one may be there twice.
std::vector<const Setting*> settings_in_environment();

}  // namespace atrium
