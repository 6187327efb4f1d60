// One job of a process, whatever number of copies of this library is loaded.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/result.hpp"

namespace atrium {

// An error when another copy has initialised OpenSHMEM in this process: this one would be a job of its own, 0 of 1.
Result<void> require_only_copy();

}  // namespace atrium
