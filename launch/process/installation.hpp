// Where this launcher lies, and what was installed with it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace atrium {

std::string own_folder();
// The real path of a library installed with this launcher; empty when it is not there.
std::string own_library(const std::string& name);

}  // namespace atrium
