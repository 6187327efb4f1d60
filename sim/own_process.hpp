// Work in a process of its own: a world lives as long as its process, and a crash names the work that it was in.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "core/result.hpp"

namespace atrium::sim {

// What `work` answers. An Error when its process ended otherwise; `what` it was is said there.
Result<std::string> in_own_process(const std::string& what, const std::function<std::string()>& work);

}  // namespace atrium::sim
