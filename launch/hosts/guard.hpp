// Kills an agent that somebody has stopped: its host would keep what nobody ends any more.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium {

// Starts the guard of this process, one of its own that ends with it. Requires: no subreaper yet.
void start_guard();

}  // namespace atrium
