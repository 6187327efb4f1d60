// How many PEs can be started here at all.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/result.hpp"

namespace atrium {

// An error if so many cannot run, whatever else runs: better reported at once than after minutes of preparation. What is left
// of these limits by others is found when the PEs are started.
Result<void> require_room(int pes, bool oversubscribe);

}  // namespace atrium
