// Flags that are right each by itself, and not together.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "launch/cli/options.hpp"

namespace atrium {

Result<void> require_combinations_make_sense(const Options& options);
// Those that options name; nothing while the number of PEs is not known.
Result<void> require_pes_exist(const Options& options);

}  // namespace atrium
